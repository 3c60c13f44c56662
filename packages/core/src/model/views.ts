/** What is said of a tool or a capability, as far as it is searched. */
export interface Described {
  name: string;
  description: string;
  /** What its schema says in words; see `describeSchema`. */
  schemaText?: string;
}

/** The texts to embed: what it is, and what it takes. Two short texts are found better than one long. */
export function listViews({ name, description, schemaText }: Described): string[] {
  const title = name.replace(/[_.:/-]+/g, " ").replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  const main = description === "" ? title : `${title}: ${description}`;
  return schemaText === undefined || schemaText === "" ? [main] : [main, `${title}: ${schemaText}`];
}
