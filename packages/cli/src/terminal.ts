import { createInterface } from "node:readline/promises";

/** Where a command reads and writes. */
export interface Terminal {
  write(text: string): void;
  /** For a person: progress, warnings, errors. */
  writeError(text: string): void;
  /** Standard output is a screen, so it may be coloured. */
  readonly isScreen: boolean;
  /** Standard error is a screen, so that a line on it can be written over. */
  readonly showsProgress: boolean;
  /** Columns of the screen. */
  readonly width: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** Undefined where nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Calls back when the user wants it to end. Returns how to stop listening. */
  onInterrupt(listener: () => void): () => void;
}

const DEFAULT_WIDTH = 100;

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    write: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    isScreen: stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
    showsProgress: stderr.isTTY === true && env["TERM"] !== "dumb",
    // A terminal that was never told its size says 0.
    width: stdout.columns || DEFAULT_WIDTH,
    environment: env,
    readInput,
    ask: stdin.isTTY === true && stderr.isTTY === true ? ask : undefined,
    onInterrupt(listener) {
      process.on("SIGINT", listener);
      return () => void process.off("SIGINT", listener);
    },
  };
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}
