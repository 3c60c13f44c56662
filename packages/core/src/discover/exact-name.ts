/**
 * The names that a text may be, if it is nothing but a name: as it is, as tools of models have it (`cap:fs:read_json`), and
 * as code spells it (`mcp.fs.read`, `capabilities.fs.read_json`). Lower case.
 */
export function listExactNames(text: string): string[] {
  const name = text.trim().toLowerCase();
  const bare = name.replace(/^cap:(?=.+:)/, "");
  const spelled = /^(?:mcp\.|capabilities\.)?([\w-]+)\.([\w-]+)$/.exec(name);
  return [...new Set([name, bare, ...(spelled === null ? [] : [`${spelled[1]}:${spelled[2]}`])])];
}
