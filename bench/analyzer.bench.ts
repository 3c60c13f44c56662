import { StaticStructureBuilder } from "@pml/analyzer";
import { transformSync } from "@swc/wasm-typescript";
import { parse } from "acorn";

import { createSnippet, TOOLS } from "./agent-snippet.js";
import { compare } from "./harness.js";
import { PEER_PARSERS } from "./peer-parsers.js";

const ANALYSIS_GOAL = 3;
const LINEAR_GOAL = 1.5;
const builder = new StaticStructureBuilder({ tools: TOOLS });

for (const [language, types] of [
  ["JavaScript", false],
  ["TypeScript", true],
] as const) {
  const code = createSnippet({ lines: 50, types });
  compare({
    title: `50 lines of ${language}: analysing, against parsing alone`,
    candidates: {
      "parse (strip types, then acorn)": () => stripAndParse(code),
      "@pml/analyzer": () => builder.build(code),
      ...bind(PEER_PARSERS, code),
    },
    goals: { "@pml/analyzer": ANALYSIS_GOAL },
  });
}

const [short, long] = [createSnippet({ lines: 500 }), createSnippet({ lines: 5000 })];
compare({
  title: "Time per line, as code grows",
  candidates: { "500 lines": () => builder.build(short), "5 000 lines": () => builder.build(long) },
  units: { "500 lines": 500, "5 000 lines": 5000 },
  goals: { "5 000 lines": LINEAR_GOAL },
  rounds: 20,
});

function stripAndParse(code: string): unknown {
  const { code: stripped } = transformSync(`async()=>{${code}\n}`, { mode: "strip-only", module: true });
  return parse(stripped, {
    ecmaVersion: "latest",
    sourceType: "module",
    allowAwaitOutsideFunction: true,
    allowReturnOutsideFunction: true,
  });
}

function bind(parsers: Record<string, (code: string) => unknown>, code: string): Record<string, () => unknown> {
  return Object.fromEntries(Object.entries(parsers).map(([name, run]) => [name, () => run(code)]));
}
