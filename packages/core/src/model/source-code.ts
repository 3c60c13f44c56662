import { type DAGStructure, dagToCode } from "@pml/analyzer";

import type { Capability } from "./capability.js";

/** A capability as code that takes all it is given from `args`. */
export function codeOf({ source, parameterisedCode }: Pick<Capability, "source" | "parameterisedCode">): string {
  if (source.type === "code") return parameterisedCode ?? source.code;
  if (source.type === "dag") return dagToCode(source.dagStructure as DAGStructure);
  const [server, ...name] = source.toolId.split(":");
  return `return mcp[${JSON.stringify(server)}][${JSON.stringify(name.join(":"))}](args);`;
}
