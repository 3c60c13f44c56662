/** A place in code the agent wrote. */
export interface Frame {
  /** `code`, or the capability it is in. */
  unit: string;
  line: number;
  column: number;
}

const FRAME = /\(?pml:(code|capability\/[^\s()]+):(\d+):(\d+)\)?$/;
const MAX_FRAMES = 10;

/** The name under which a unit stands in stacks. */
export function unitUrl(capability?: string): string {
  return capability === undefined ? "pml:code" : `pml:capability/${capability}`;
}

/** The agent's own frames of a stack, innermost first; everything else in it is of no use to anyone who reads it. */
export function listFrames(stack: string): Frame[] {
  return stack
    .split("\n")
    .map((line) => FRAME.exec(line))
    .filter((match) => match !== null)
    .slice(0, MAX_FRAMES)
    .map(([, unit = "", line, column]) => ({
      unit: unit.replace("capability/", ""),
      // The first line is the wrapper's.
      line: Number(line) - 1,
      column: Number(column),
    }));
}
