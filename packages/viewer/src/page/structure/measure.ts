/** How wide a text is, in pixels. */
export type Measure = (text: string) => number;
