/** How code for this memory is written: what the analyzer takes and the sandbox gives. */
export function writeRules(): string {
  return `${RULES.map((rule) => `// ${rule}`).join("\n")}\n\n`;
}

const RULES: readonly string[] = [
  "Write JavaScript or TypeScript: the body of an async function, with await and return at the top. No import, export,",
  "require or eval. What you return is the result; without return it is undefined.",
  "Inputs are in args (context is the same object). Take from it what may differ next time; write out what will not.",
  "Call tools as mcp.server.name({ ... }) and capabilities as capabilities.namespace.name({ ... }); each gives a promise.",
  'A name that is no identifier goes in brackets: mcp["my-server"]["get-it"]({ ... }). Pass one object.',
  "Independent calls: await Promise.all([...]). Catch an error only if you can go on without what failed.",
  "There are the language, console, timers, URL, URLSearchParams, structuredClone, atob and btoa. There is no fetch, process,",
  "Buffer, file system or network: tools are the only way out.",
  "Long work reports with pml.progress({ message, done, total }); pml.log(message, data) leaves a note.",
  "Never write passwords or keys into code; they come in args.",
];
