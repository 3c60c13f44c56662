import { PmlError } from "@pml/core";

export interface RenderOptions {
  /** Stands above everything. Default: the organisation and project of the memory. */
  title?: string;
  /** Latest runs shown of each capability. Default 10; at most 100. */
  mostRuns?: number;
  /** False leaves arguments, results and errors of runs out of the file. Default true. */
  values?: boolean;
  /** How graphs are drawn. `auto`, the default: WebGL where a graphics card does it, else on a canvas. */
  renderer?: "auto" | "webgl" | "canvas";
  /** When it is made. Default now. */
  now?: Date;
}

export type ResolvedOptions = Required<Omit<RenderOptions, "title">> & Pick<RenderOptions, "title">;

export const DEFAULT_RENDER_OPTIONS: { mostRuns: number; values: boolean; renderer: "auto" } = {
  mostRuns: 10,
  values: true,
  renderer: "auto",
};

const RENDERERS: readonly string[] = ["auto", "webgl", "canvas"];
const MOST_RUNS = 100;

export function resolveOptions(given: RenderOptions = {}): ResolvedOptions {
  const options = { ...DEFAULT_RENDER_OPTIONS, now: new Date(), ...dropUndefined(given) };
  const { title, mostRuns, renderer, now } = options;
  if (title !== undefined && typeof title !== "string") throw refuse("The title must be a text.");
  if (!Number.isInteger(mostRuns) || mostRuns < 0 || mostRuns > MOST_RUNS)
    throw refuse(`\`mostRuns\` must be a whole number from 0 to ${MOST_RUNS}.`);
  if (!RENDERERS.includes(renderer)) throw refuse(`The renderer must be one of ${RENDERERS.join(", ")}.`);
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw refuse("`now` must be a date.");
  return options;
}

function dropUndefined(given: RenderOptions): RenderOptions {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function refuse(message: string): PmlError {
  return new PmlError("PML_INVALID_INPUT", message);
}
