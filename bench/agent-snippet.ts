/** Eight lines as agents write them, with names of their own, so that blocks can follow each other. */
function block(index: number, types: boolean): string {
  const record = types ? ": Record<string, unknown>" : "";
  const parse = types ? "parse<{ rows: number[] }>" : "parse";
  return `const file${index} = await mcp.fs.read({ path: "data/${index}.json", encoding: "utf8" });
const data${index}${record} = await mcp.json.${parse}({ json: file${index}.content });
const rows${index} = data${index}.rows.filter((row) => row.amount > ${index}).map((row) => row.id);
if (rows${index}.length > 10) {
  await mcp.http.post({ url: \`https://example.com/\${args.project}/${index}\`, body: { rows: rows${index} } });
} else {
  await mcp.log.write({ level: "info", message: "few rows", count: rows${index}.length });
}
`;
}

const LINES_PER_BLOCK = 8;

/** Agent code of about so many lines. */
export function createSnippet({ lines, types = false }: { lines: number; types?: boolean }): string {
  const blocks = Math.round(lines / LINES_PER_BLOCK);
  return Array.from({ length: blocks }, (_, index) => block(index, types)).join("");
}

export const TOOLS: { id: string }[] = ["fs:read", "json:parse", "http:post", "log:write"].map((id) => ({ id }));
