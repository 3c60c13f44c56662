import type { Fault } from "../error.js";
import { memoryFault } from "../faults.js";
import type { Limits } from "../limits.js";
import type { LinkExit } from "./link.js";

/** What became of a run whose child is gone. */
export function exitFault(exit: LinkExit, limits: Limits): Fault {
  switch (exit.reason) {
    case "memory":
      return memoryFault(limits);
    case "overflow":
      return protocolFault("a message longer than any value may be");
    case "crash":
      return {
        code: "SANDBOX_CRASHED",
        message: `The child that ran the code died (${exit.detail}). The next run gets another one.`,
        details: { detail: exit.detail },
      };
  }
}

/** What no honest child does. */
export function protocolFault(what: string): Fault {
  return {
    code: "SANDBOX_PROTOCOL",
    message: `The child that ran the code sent ${what}, and was ended. Treat the code as an attack.`,
    details: { what },
  };
}
