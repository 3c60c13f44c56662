import { plainLine } from "./plain-text.js";
import type { Terminal } from "./terminal.js";

/** What is going on, for whoever waits. */
export interface Progress {
  say(text: string): void;
  /** Takes the line away, so that the answer stands alone. */
  clear(): void;
}

const CLEAR_LINE = "\r\u001b[2K";
/** Elsewhere than on a screen a line stays, so few are written. */
const PAUSE_MS = 2000;

export function createProgress({ writeError, showsProgress, width }: Terminal, now: () => number): Progress {
  let lastAt = now();
  let isShown = false;
  return {
    say(text) {
      const line = plainLine(text).slice(0, width - 1);
      if (showsProgress) {
        writeError(CLEAR_LINE + line);
        isShown = true;
        return;
      }
      if (now() - lastAt < PAUSE_MS) return;
      lastAt = now();
      writeError(`${line}\n`);
    },
    clear() {
      if (isShown) writeError(CLEAR_LINE);
      isShown = false;
    },
  };
}
