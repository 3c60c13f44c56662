/** What it shows, the code, and what is known of it in the notation of `notation.ts`. */
export type Snippet = readonly [name: string, code: string, expected: string];
