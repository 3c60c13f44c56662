import { McpAdapterError } from "../error.js";

export type Variables = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** `${NAME}` and `${NAME:-otherwise}`, as the usual files write them, so that secrets need not stand in the file. */
export function expandVariables(text: string, { server, variables }: { server: string; variables: Variables }): string {
  return text.replaceAll(VARIABLE, (_, name: string, otherwise?: string) => {
    const value = (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? otherwise;
    if (value !== undefined) return value;
    const message = `The server "${server}" wants the variable ${name}, which is not set. Set it, or write \${${name}:-otherwise}.`;
    throw new McpAdapterError("MCP_CONFIG_INVALID", message, { details: { server, variable: name } });
  });
}

/** Names of the variables that a text stands on. */
export function listVariables(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = ""]) => name);
}
