import type { Fault } from "./error.js";
import type { Limits } from "./limits.js";
import type { Refusal } from "./wire/survey-value.js";

type Countable = "maxToolCalls" | "maxConcurrentToolCalls" | "maxLogLines" | "maxInputBytes" | "maxOutputBytes";

const COUNTED: Record<Countable, { code: Fault["code"]; what: string }> = {
  maxToolCalls: { code: "SANDBOX_TOOL_CALLS", what: "tool calls" },
  maxConcurrentToolCalls: { code: "SANDBOX_CONCURRENT_TOOL_CALLS", what: "tool calls at the same time" },
  maxLogLines: { code: "SANDBOX_LOG_LINES", what: "lines of log and progress" },
  maxInputBytes: { code: "SANDBOX_INPUT_TOO_LARGE", what: "bytes of answers from tools" },
  maxOutputBytes: { code: "SANDBOX_OUTPUT_TOO_LARGE", what: "bytes sent to the host" },
};

/** More of something than `limits` allows. */
export function limitFault(name: Countable, limits: Limits): Fault {
  const { code, what } = COUNTED[name];
  return {
    code,
    message: `The run went over ${limits[name]} ${what}. Do less in one run, or raise limits.${name}.`,
    details: { limit: name, max: limits[name] },
  };
}

export function timeoutFault({ timeoutMs }: Limits): Fault {
  return {
    code: "SANDBOX_TIMEOUT",
    message: `The run took longer than ${timeoutMs} ms. Do less in one run, or raise limits.timeoutMs.`,
    details: { limit: "timeoutMs", max: timeoutMs },
  };
}

export function memoryFault({ memoryMb }: Limits): Fault {
  return {
    code: "SANDBOX_MEMORY",
    message: `The run needed more than ${memoryMb} MB. Keep less at a time, or raise limits.memoryMb.`,
    details: { limit: "memoryMb", max: memoryMb },
  };
}

/** A value that cannot cross: too large, which is a limit, or not data. */
export function refusalFault(refusal: Refusal, what: string, side: "argument" | "result"): Fault {
  if (refusal.reason === "size") return sizeFault(refusal.maxBytes, what, side);
  const { kind, path, advice } = refusal;
  const where = path === "" ? what : `${what}, at ${path}`;
  return {
    code: "SANDBOX_VALUE_REFUSED",
    message: `A value cannot cross (${where}): ${kind}. Only data does; ${advice}.`,
    details: { what, kind, path },
  };
}

function sizeFault(maxBytes: number, what: string, side: "argument" | "result"): Fault {
  const limit = side === "argument" ? "maxArgumentBytes" : "maxResultBytes";
  return {
    code: side === "argument" ? "SANDBOX_ARGUMENTS_TOO_LARGE" : "SANDBOX_RESULT_TOO_LARGE",
    message: `More than ${maxBytes} bytes (${what}). Send less, or raise limits.${limit}.`,
    details: { what, limit, max: maxBytes },
  };
}
