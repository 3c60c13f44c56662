export type Child = Node | string | number | false | undefined;

type Value = string | number | boolean | undefined | ((event: never) => void);

/** A function is called for the event of that name; `false` and `undefined` leave an attribute out. */
export type Attributes = Readonly<Record<string, Value>>;

const SVG = "http://www.w3.org/2000/svg";

/** The only way elements come to be here: whatever text is given stays text. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS(SVG, tag) as SVGElementTagNameMap[Tag], attributes, children);
}

function fill<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value as EventListener);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children)
    if (child !== undefined && child !== false) made.append(typeof child === "number" ? String(child) : child);
  return made;
}
