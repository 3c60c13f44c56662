import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { dagToCode, StaticStructureBuilder, structureToDag, type ToolInfo } from "../src/index.js";
import { programs } from "./programs.js";
import { type RecordedCall, recordRun } from "./record-run.js";

const NOTHING_DECLARED = new StaticStructureBuilder();
const READING: readonly ToolInfo[] = ["t:a", "t:b"].map((id) => ({ id, annotations: { readOnlyHint: true } }));

describe("a DAG made from code", () => {
  it.each([
    ["tools of which nothing is known", NOTHING_DECLARED],
    ["tools of which some only read", new StaticStructureBuilder({ tools: READING })],
  ])("is the same again when its code is read, with %s", (_, builder) => {
    fc.assert(
      fc.property(programs({ straight: true }), (code) => {
        const first = structureToDag(builder.build(code));
        if (!first.ok) return;
        const second = structureToDag(builder.build(dagToCode(first.dag)));
        expect(second).toMatchObject({ ok: true, dag: first.dag });
      }),
      { numRuns: 500 },
    );
  });

  it("does what the code does", async () => {
    await fc.assert(
      fc.asyncProperty(programs({ straight: true }), async (code) => {
        const conversion = structureToDag(NOTHING_DECLARED.build(code));
        if (!conversion.ok) return;
        const [original, rewritten] = [await recordRun(code), await recordRun(dagToCode(conversion.dag))];
        expect(rewritten.outcome).toBe(original.outcome);
        expect(rewritten.calls.map(inputOf)).toEqual(original.calls.map(inputOf));
      }),
      { numRuns: 500 },
    );
  });
});

/** A DAG always gives an input, if only an empty one. */
function inputOf({ tool, input }: RecordedCall): unknown {
  return [tool, (input as unknown[])[0] ?? {}];
}
