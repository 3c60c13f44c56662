/**
 * What is used of `@opentelemetry/api`, by shape: a host that does not trace need not install it, and a tracer of another
 * version fits as well.
 */
export interface SpanLike {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

export interface TracerLike {
  startSpan(name: string, options: { attributes: Attributes }, context?: unknown): SpanLike;
}

export type Attributes = Record<string, string | number | boolean>;

export interface TelemetryOptions {
  /** Arguments, results and intents in spans, secrets taken out. Default false: spans then say what ran, not on what. */
  content?: boolean;
  /** That of the global provider when not given. */
  tracer?: TracerLike;
}

/** What is done inside a span says more about it. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** Text or data, if the host wants content. */
  show(name: string, value: unknown): void;
  /** Ends it as failed, by this code. */
  fail(code: string): void;
  /** For spans below this one. */
  readonly telemetry: Telemetry;
}

export interface Telemetry {
  /** Does the work in a span, which fails when the work throws. */
  within<T>(name: SpanName, attributes: Attributes, work: (span: OpenSpan) => Promise<T>): Promise<T>;
}

type SpanName = "pml.run" | "pml.tool" | "pml.search" | "pml.learn";

interface Api {
  trace: { getTracer(name: string): TracerLike; setSpan(context: unknown, span: SpanLike): unknown };
  context: { active(): unknown; with<T>(context: unknown, work: () => T): T };
}

const ERROR = 2;
const LONGEST_CONTENT = 4000;

/** Spans, if there is anything to make them with. Without a provider the API makes none, and costs next to nothing. */
export async function openTelemetry(options: TelemetryOptions | false | undefined): Promise<Telemetry> {
  if (options === false) return NO_TELEMETRY;
  const api = await importApi();
  const tracer = options?.tracer ?? api?.trace.getTracer("@pml/core");
  return tracer === undefined ? NO_TELEMETRY : bind({ tracer, api, content: options?.content === true });
}

interface Means {
  tracer: TracerLike;
  api: Api | undefined;
  content: boolean;
  /** The context of the span above. A run reaches its tools through another process, where what is active is lost. */
  above?: unknown;
}

function bind(means: Means): Telemetry {
  const { tracer, api } = means;
  return {
    async within(name, attributes, work) {
      const above = means.above ?? api?.context.active();
      const span = tracer.startSpan(name, { attributes }, above);
      const inside = api?.trace.setSpan(above, span);
      const open = openSpan(span, { ...means, above: inside });
      try {
        return await (api === undefined ? work(open) : api.context.with(inside, () => work(open)));
      } catch (error) {
        open.fail(nameError(error));
        throw error;
      } finally {
        span.end();
      }
    },
  };
}

function openSpan(span: SpanLike, means: Means): OpenSpan {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    show(name, value) {
      if (!means.content || value === undefined) return;
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      span.setAttributes({ [name]: text.slice(0, LONGEST_CONTENT) });
    },
    fail(code) {
      span.setAttributes({ "error.type": code });
      span.setStatus({ code: ERROR, message: code });
    },
    telemetry: bind(means),
  };
}

/** Never its message, which is content. */
function nameError(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "Error";
}

const NO_TELEMETRY: Telemetry = { within: (_, __, work) => work(NO_SPAN) };
const NO_SPAN: OpenSpan = { set: () => {}, show: () => {}, fail: () => {}, telemetry: NO_TELEMETRY };

/** Undefined where it is not installed. */
async function importApi(): Promise<Api | undefined> {
  try {
    return (await import("@opentelemetry/api" as string)) as Api;
  } catch {
    return undefined;
  }
}
