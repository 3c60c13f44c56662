import { element } from "../element.js";
import { tokenise } from "./tokenise.js";

/** Code with its lines numbered, each to be found by its number. */
export function showCode(code: string): HTMLElement {
  const lines: HTMLElement[] = [];
  let line = element("span", { class: "line", "data-line": 1 });
  for (const { kind, text } of tokenise(code.replace(/\n$/, ""))) {
    for (const [at, part] of text.split("\n").entries()) {
      if (at > 0) {
        lines.push(line);
        line = element("span", { class: "line", "data-line": lines.length + 1 });
      }
      if (part !== "") line.append(kind === "plain" ? part : element("span", { class: `token-${kind}` }, part));
    }
  }
  lines.push(line);
  // A line end after each, so that what is copied is the code.
  const content = lines.flatMap((each, at) => (at === 0 ? [each] : ["\n", each]));
  return element("pre", { class: "code", tabindex: 0 }, element("code", {}, ...content));
}
