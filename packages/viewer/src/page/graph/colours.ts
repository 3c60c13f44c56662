import { COMMUNITY_COLOURS } from "../community-class.js";

/** What graphs are painted with, read from the style sheet, so that both themes stand in one place. */
export interface Colours {
  communities: readonly string[];
  /** Of what is in no community, or in one of the smaller. */
  other: string;
  link: string;
  strong: string;
  ink: string;
  muted: string;
  ground: string;
  bad: string;
}

export function readColours(root: Element): Colours {
  const style = getComputedStyle(root);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    communities: Array.from({ length: COMMUNITY_COLOURS }, (_, index) => read(`--community-${index}`)),
    other: read("--community-other"),
    link: read("--link"),
    strong: read("--accent"),
    ink: read("--ink"),
    muted: read("--muted"),
    ground: read("--ground"),
    bad: read("--bad"),
  };
}

export function colourOf(
  { communities, other, bad }: Colours,
  node: { community?: number; call?: { success: boolean } },
): string {
  if (node.call?.success === false) return bad;
  return communities[node.community ?? -1] ?? other;
}
