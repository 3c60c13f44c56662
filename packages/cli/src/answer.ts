import { styleText } from "node:util";

import { EXIT_CODES } from "./exit-codes.js";
import { plainJson } from "./plain-text.js";
import type { Column } from "./table.js";
import { formatTable } from "./table.js";
import type { Terminal } from "./terminal.js";

/** What a command has to say: data for a program, the same as text for a person. */
export interface Answer {
  /** JSON, in snake_case. */
  data: unknown;
  text: (page: Page) => string;
  exitCode?: number;
}

/** How text is set. Whatever comes from the memory has to be made plain first. */
export interface Page {
  bold(text: string): string;
  dim(text: string): string;
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): string;
}

function createPage({ isScreen, width }: Pick<Terminal, "isScreen" | "width">): Page {
  const style = (format: "bold" | "dim") => (text: string) => (isScreen ? styleText(format, text) : text);
  return {
    bold: style("bold"),
    dim: style("dim"),
    table(columns, rows) {
      // Where it does not end on a screen nothing is cut: somebody reads it later, or searches in it.
      const [head = "", ...lines] = formatTable(columns, rows, isScreen ? width : Infinity).split("\n");
      return [style("dim")(head), ...lines].join("\n");
    },
  };
}

export function give(answer: Answer, { terminal, json }: { terminal: Terminal; json: boolean }): number {
  const text = json ? plainJson(answer.data) : answer.text(createPage(terminal));
  if (text !== "") terminal.write(`${text}\n`);
  return answer.exitCode ?? EXIT_CODES.done;
}
