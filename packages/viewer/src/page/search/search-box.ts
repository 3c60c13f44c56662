import type { Thing } from "../catalog.js";
import type { PageContext } from "../context.js";
import { element } from "../element.js";
import { kindGlyph } from "../parts/glyphs.js";
import { readRoute } from "../route.js";
import { KIND_NAMES } from "../words.js";
import { createSearchIndex, type Entry, type SearchIndex } from "./search-index.js";

const MOST = 12;

const INPUT = {
  type: "search",
  id: "search",
  placeholder: "Search names and intents",
  autocomplete: "off",
  spellcheck: "false",
  role: "combobox",
  "aria-expanded": "false",
  "aria-controls": "found",
  "aria-autocomplete": "list",
  "aria-label": "Search",
} as const;

/** Finds by name and by what things are for. Arrow keys go through what was found, Enter opens it. */
export class SearchBox {
  readonly element: HTMLElement;
  readonly #context: PageContext;
  readonly #search: SearchIndex<Thing>;
  readonly #input = element("input", INPUT);
  readonly #list = element("ul", { id: "found", role: "listbox", "aria-label": "Found", hidden: true });
  #found: readonly Thing[] = [];
  #at = -1;

  constructor(context: PageContext) {
    this.#context = context;
    this.#search = createSearchIndex(context.catalog.things.filter(({ href }) => href !== undefined).map(toEntry));
    const hint = element("kbd", { "aria-hidden": "true" }, "/");
    this.element = element("div", { class: "search", role: "search" }, this.#input, hint, this.#list);
    this.#input.addEventListener("input", () => this.#ask());
    this.#input.addEventListener("focus", () => this.#ask());
    this.#input.addEventListener("blur", () => (this.#list.hidden = true));
    this.#input.addEventListener("keydown", (event) => this.#press(event));
  }

  focus(): void {
    this.#input.focus();
  }

  #ask(): void {
    this.#show(this.#search(this.#input.value, MOST), -1);
    if (this.#input.value.trim() !== "") this.#context.say(`${this.#found.length} found`);
  }

  #press(event: KeyboardEvent): void {
    const last = this.#found.length - 1;
    if (event.key === "ArrowDown") this.#show(this.#found, Math.min(this.#at + 1, last));
    else if (event.key === "ArrowUp") this.#show(this.#found, Math.max(this.#at - 1, -1));
    else if (event.key === "Enter") this.#open(this.#found[Math.max(this.#at, 0)]);
    else if (event.key === "Escape") this.#clear();
    else return;
    event.preventDefault();
  }

  #show(found: readonly Thing[], at: number): void {
    [this.#found, this.#at] = [found, at];
    const isAsked = this.#input.value.trim() !== "";
    const nothing = element("li", { class: "nothing" }, "Nothing is called so, or was asked for so.");
    this.#list.replaceChildren(...found.map((thing, index) => this.#showOption(thing, index)));
    if (found.length === 0) this.#list.append(nothing);
    this.#list.hidden = !isAsked;
    this.#input.setAttribute("aria-expanded", String(isAsked));
    if (at >= 0) this.#input.setAttribute("aria-activedescendant", `found-${at}`);
    else this.#input.removeAttribute("aria-activedescendant");
    this.#list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  #showOption(thing: Thing, index: number): HTMLElement {
    const { kind, label, description, community } = thing;
    const more = description === label ? KIND_NAMES[kind].one : description;
    const text = element("span", {}, element("span", { class: "name" }, label), element("small", {}, more));
    // On press, before the field loses the focus and the list closes.
    const pointerdown = (event: Event): void => {
      event.preventDefault();
      this.#open(thing);
    };
    const names = { id: `found-${index}`, role: "option", "aria-selected": String(index === this.#at) };
    return element("li", { ...names, pointerdown }, kindGlyph(kind, community), text);
  }

  #open(thing: Thing | undefined): void {
    if (thing?.href === undefined) return;
    this.#clear();
    this.#input.blur();
    this.#context.go(readRoute(thing.href));
  }

  #clear(): void {
    this.#input.value = "";
    this.#show([], -1);
  }
}

function toEntry(thing: Thing): Entry<Thing> {
  const { label, description, capability } = thing;
  const asked = capability?.asked.map(({ intent }) => intent) ?? [];
  const words = [description, capability?.intent, ...asked, ...(capability?.tools ?? [])];
  return { found: thing, names: [label, ...(capability?.record?.aliases ?? [])], words: words.join(" ") };
}
