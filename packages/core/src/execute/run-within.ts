import { createContext, Script } from "node:vm";

const ROOM = createContext(Object.create(null) as { run?: () => unknown });
const CALL = new Script("run()");

/**
 * Runs something synchronous that values from outside may make slow, and throws once it has taken too long: a regular
 * expression of a foreign schema may otherwise hold the whole process for hours. Only for what leaves nothing half done.
 */
export function runWithin<T>(timeoutMs: number, run: () => T): T {
  ROOM["run"] = run;
  try {
    return CALL.runInContext(ROOM, { timeout: timeoutMs }) as T;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Error(`it took longer than ${timeoutMs} ms`, { cause: error });
  } finally {
    delete ROOM["run"];
  }
}
