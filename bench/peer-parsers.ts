import { parse as parseWithBabel } from "@babel/parser";
import { parseSync as parseWithOxc } from "oxc-parser";
import ts from "typescript";

/** What others take to read the same code. None of them goes further than the tree. */
export const PEER_PARSERS: Record<string, (code: string) => unknown> = {
  "@babel/parser": (code) =>
    parseWithBabel(code, {
      sourceType: "module",
      plugins: ["typescript"],
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    }),
  // The tree is made when it is first asked for.
  "oxc-parser": (code) => parseWithOxc("code.ts", code).program,
  "typescript (transpileModule)": (code) =>
    ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ESNext } }),
};
