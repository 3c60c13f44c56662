/** A tool or a capability that may serve an intent. */
export interface Candidate {
  id: string;
  name: string;
  description: string;
  /** What its schema says in words; see `describeSchema`. */
  schemaText?: string;
  /** Vectors of the texts of `listViews`, in that order. */
  vectors: readonly Float32Array[];
}

/** What is asked, in words and as a vector of the same embedder as the candidates'. */
export interface Query {
  text: string;
  vector: Float32Array;
}

/** An intent that was served before, and by what. */
export interface PastIntent extends Query {
  candidateIds: readonly string[];
}

/** The texts to embed for a candidate: what it is, and what it takes. Two short texts are found better than one long. */
export function listViews({ name, description, schemaText }: Omit<Candidate, "id" | "vectors">): string[] {
  const title = name.replace(/[_.:/-]+/g, " ").replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  const main = description === "" ? title : `${title}: ${description}`;
  return schemaText === undefined || schemaText === "" ? [main] : [main, `${title}: ${schemaText}`];
}
