/** Reads a file named in a marker; its path is relative to the repository. */
export type ReadSource = (path: string) => string;

const MARKED_BLOCK =
  /(<!-- snippet: (?<path>[^\s#]+)(?:#(?<region>[\w-]+))? -->\n+```(?<language>\w*)\n)[\s\S]*?(?<=\n)```/g;

/** Replaces every code block that follows a `<!-- snippet: path#region -->` by what stands there. */
export function syncSnippets(markdown: string, readSource: ReadSource): string {
  return markdown.replaceAll(MARKED_BLOCK, (...match) => {
    const { path, region } = match.at(-1) as { path: string; region?: string };
    return `${match[1]}${getSnippet(path, region, readSource)}\n\`\`\``;
  });
}

function getSnippet(path: string, region: string | undefined, readSource: ReadSource): string {
  const source = readSource(path);
  return outdent(region === undefined ? source.trimEnd() : getRegion(source, region, path));
}

function getRegion(source: string, region: string, path: string): string {
  const lines = source.split("\n");
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const end = lines.findIndex((line, at) => at > start && line.trim() === "// #endregion");
  if (start === -1 || end === -1) throw new Error(`${path} has no region "${region}".`);
  return lines.slice(start + 1, end).join("\n");
}

function outdent(text: string): string {
  const lines = text.split("\n");
  const filled = lines.filter((line) => line.trim() !== "");
  const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join("\n");
}
