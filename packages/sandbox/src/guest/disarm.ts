import { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import process from "node:process";

/** What sends a signal to another process, or gets at Node from below. The two in the middle open a debugger. */
const REACHING_OUT = ["kill", "_kill", "_debugProcess", "_debugEnd", "_linkedBinding", "binding"];

/**
 * A second wall, as that of the realm: Node's permission model lets a process signal its parent, and a signal can end the
 * host, or open its debugger to whoever connects. Should code ever get hold of Node, it does not find the means.
 */
export function disarmProcess(): void {
  remove(process, REACHING_OUT);
  remove(os, ["setPriority"]);
  // A handle that was never started stands for the whole process group.
  const { _handle: handle } = new ChildProcess() as unknown as { _handle: object };
  remove(Object.getPrototypeOf(handle) as object, ["spawn", "kill"]);
  // Whoever imports these modules later gets them as they are now.
  syncBuiltinESMExports();
}

function remove(from: object, names: readonly string[]): void {
  for (const name of names) Reflect.deleteProperty(from, name);
}
