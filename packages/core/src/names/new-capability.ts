import type { Analysis } from "@pml/analyzer";

import type { NewCapability } from "../model/capability.js";

/** What is stored of code that has been read. */
export function fromAnalysis(analysis: Analysis): Omit<NewCapability, "intent"> & { hash: string } {
  const { source, hash, shape, structure, parameters, permissions, parameterised } = analysis;
  return {
    source: { type: "code", code: source },
    hash,
    shape,
    structure,
    parameters,
    permissions,
    parameterisedCode: parameterised.code,
    toolsUsed: permissions.tools,
  };
}
