/** Codes of this package's own refusals; those of the memory stand beside them. `docs/errors.md` has each. */
export const HTTP_ERROR_CODES = [
  "HTTP_BODY_TOO_LARGE",
  "HTTP_FORBIDDEN",
  "HTTP_INTERNAL",
  "HTTP_INVALID_BODY",
  "HTTP_INVALID_QUERY",
  "HTTP_MALFORMED_JSON",
  "HTTP_METHOD_NOT_ALLOWED",
  "HTTP_NOT_FOUND",
  "HTTP_UNAUTHORIZED",
  "HTTP_UNSUPPORTED_MEDIA_TYPE",
] as const;

export type HttpErrorCode = (typeof HTTP_ERROR_CODES)[number];

/** The body of every refusal, after RFC 9457. */
export interface Problem {
  type: "about:blank";
  title: string;
  status: number;
  detail: string;
  code: string;
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** A refusal on its way out; only this package throws it, and only to itself. */
export class Refusal extends Error {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    { detail, headers = {} }: { detail: string; headers?: Readonly<Record<string, string>> },
  ) {
    super(detail);
    this.problem = { type: "about:blank", title: TITLES[status] ?? "Error", status, detail, code };
    this.headers = headers;
  }
}

/** How the memory's own refusals are said in HTTP. What is not here is nobody's business outside. */
const STATUS_OF: Readonly<Record<string, number>> = {
  PML_NOT_FOUND: 404,
  PML_CONFLICT: 409,
  PML_INVALID_INPUT: 422,
  PML_CLOSED: 503,
  PML_DATABASE_UNAVAILABLE: 503,
};

export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const status = typeof code === "string" && Object.hasOwn(STATUS_OF, code) ? STATUS_OF[code] : undefined;
  if (status === undefined)
    return new Refusal(500, "HTTP_INTERNAL", { detail: "Something went wrong here. It has been reported." });
  // Where a database stands is told in such messages.
  const detail = status === 503 ? "The memory cannot be reached. Try again later." : String(message);
  return new Refusal(status, code as string, { detail });
}
