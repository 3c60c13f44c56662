/** The namespaces that curation gives, each with the tools that speak for it: `server:*`, `*:name` or `server:name`. */
const NAMESPACE_RULES: readonly { namespace: string; tools: readonly string[] }[] = [
  { namespace: "git", tools: ["git:*", "github:*", "gitlab:*", "bitbucket:*"] },
  {
    namespace: "db",
    tools: [
      "db:*",
      "sql:*",
      "database:*",
      "postgres:*",
      "postgresql:*",
      "mysql:*",
      "sqlite:*",
      "mongo:*",
      "mongodb:*",
      "redis:*",
      "supabase:*",
    ],
  },
  { namespace: "shell", tools: ["shell:*", "bash:*", "terminal:*", "exec:*", "process:*", "ssh:*", "docker:*"] },
  {
    namespace: "ai",
    tools: [
      "ai:*",
      "llm:*",
      "openai:*",
      "anthropic:*",
      "model:*",
      "embedding:*",
      "embeddings:*",
      "*:summarize",
      "*:classify",
      "*:translate",
    ],
  },
  {
    namespace: "api",
    tools: [
      "http:*",
      "https:*",
      "api:*",
      "fetch:*",
      "web:*",
      "rest:*",
      "graphql:*",
      "webhook:*",
      "*:fetch",
      "*:request",
    ],
  },
  {
    namespace: "fs",
    tools: [
      "fs:*",
      "file:*",
      "files:*",
      "filesystem:*",
      "disk:*",
      "directory:*",
      "*:read_file",
      "*:write_file",
      "*:list_directory",
    ],
  },
  {
    namespace: "transform",
    tools: [
      "code:*",
      "json:*",
      "csv:*",
      "xml:*",
      "yaml:*",
      "text:*",
      "string:*",
      "transform:*",
      "markdown:*",
      "regex:*",
    ],
  },
];

const FALLBACK = "util";

/**
 * The namespace most of the tools speak for. What only transforms counts where nothing else does: a file that is read and
 * parsed is still a file that is read.
 */
export function inferNamespace(tools: readonly string[]): string {
  const votes = new Map<string, number>();
  for (const tool of tools) {
    const namespace = namespaceOfTool(tool);
    votes.set(namespace, (votes.get(namespace) ?? 0) + 1);
  }
  const telling = [...votes].filter(([namespace]) => namespace !== "transform" && namespace !== FALLBACK);
  const [most] = telling.sort(([a, x], [b, y]) => y - x || rank(a) - rank(b));
  if (most !== undefined) return most[0];
  if (votes.has(FALLBACK)) return FALLBACK;
  // Code that calls no tool can only transform.
  return "transform";
}

export function namespaceOfTool(tool: string): string {
  const [server = "", name = ""] = tool.toLowerCase().split(":");
  const matches = (pattern: string): boolean => {
    const [wantedServer, wantedName] = pattern.split(":");
    return (wantedServer === "*" || wantedServer === server) && (wantedName === "*" || wantedName === name);
  };
  return NAMESPACE_RULES.find(({ tools }) => tools.some(matches))?.namespace ?? FALLBACK;
}

function rank(namespace: string): number {
  return NAMESPACE_RULES.findIndex((rule) => rule.namespace === namespace);
}
