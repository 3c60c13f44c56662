import type { World } from "./world.js";

/** The values that come with requests. */
export interface Values {
  country: string;
  email: string;
  limit: number;
  product: string;
  currency: string;
  path: string;
  key: string;
  value: string | number;
  column: string;
  folder: string;
  extension: string;
  city: string;
  amount: number;
  title: string;
  priority: string;
  ticket: string;
}

/** Something people ask for again and again, with other values and in other words. */
export interface Task {
  id: string;
  /** What a model writes when it is asked for it. */
  code: string | ((values: Values) => string);
  /** What each caller said, and the values that came with it. */
  asked: readonly (readonly [intent: string, values: Partial<Values>])[];
  /** The right answer, worked out without any tool. Each task reads the values that its requests have. */
  expect: (values: Values, world: World) => unknown;
}
