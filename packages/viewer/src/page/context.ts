import type { MemoryView } from "../memory-view.js";
import type { Catalog } from "./catalog.js";
import type { Route } from "./route.js";
import type { ThemeSwitch } from "./theme.js";

/** What every page has at hand. */
export interface PageContext {
  view: MemoryView;
  catalog: Catalog;
  theme: ThemeSwitch;
  go(route: Route): void;
  /** Says something to those who hear the page. */
  say(text: string): void;
}

/** Something shown between the header and the end of the window. */
export interface Page {
  title: string;
  element: HTMLElement;
  /** It is shown, perhaps again. */
  enter?(at: string | undefined): void;
}
