import { main, type Terminal } from "@pml/cli";

export interface Said {
  code: number;
  out: string;
  error: string;
}

export interface ShellOptions {
  /** As on a screen. */
  screen?: boolean;
  input?: string;
  /** What the person says when asked. */
  says?: string;
  environment?: Record<string, string>;
}

/** Runs `pml` in this process, on a terminal that remembers. */
export async function shell(argv: readonly string[], options: ShellOptions = {}): Promise<Said> {
  let [out, error] = ["", ""];
  const { screen = false, input = "", says, environment = {} } = options;
  const terminal: Terminal = {
    write: (text) => void (out += text),
    writeError: (text) => void (error += text),
    isScreen: screen,
    showsProgress: screen,
    width: 80,
    environment,
    readInput: async () => input,
    ask: says === undefined ? undefined : async () => says,
    onInterrupt: () => () => {},
  };
  const code = await main(argv, terminal);
  return { code, out, error };
}
