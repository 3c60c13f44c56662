/** How far it is with embedding anew. */
export interface ReembedProgress {
  done: number;
  total: number;
}
