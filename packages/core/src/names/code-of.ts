import { dagToCode, type DAGStructure } from "@pml/analyzer";

import type { CapabilitySource } from "../model/capability.js";

/** Any source as code. */
export function codeOf({ source }: { source: CapabilitySource }): string {
  if (source.type === "code") return source.code;
  if (source.type === "dag") return dagToCode(source.dagStructure as DAGStructure);
  const [server, ...name] = source.toolId.split(":");
  return `return mcp[${JSON.stringify(server)}][${JSON.stringify(name.join(":"))}](args);`;
}
