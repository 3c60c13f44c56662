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
