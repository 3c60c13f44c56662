import type { LinkType, ThingKind } from "../memory-view.js";

export const KIND_NAMES: Readonly<Record<ThingKind, { one: string; many: string; says: string }>> = {
  tool: { one: "tool", many: "Tools", says: "What agents call." },
  capability: { one: "capability", many: "Capabilities", says: "What the memory has learned to do." },
  operation: { one: "pure operation", many: "Pure operations", says: "Steps that only compute." },
};

/** What a link means, and how it reads from its start and from its end. */
export const LINK_NAMES: Readonly<Record<LinkType, { says: string; out: string; in: string }>> = {
  dependency: { says: "Results of one went into the other.", out: "Its results go to", in: "Takes results of" },
  contains: { says: "A capability uses it.", out: "Uses", in: "Used by" },
  provides: { says: "By their schemas, one could feed the other.", out: "Could feed", in: "Could be fed by" },
  alternative: { says: "Serves the same request with other tools.", out: "Can be replaced by", in: "Can replace" },
  sequence: { says: "One ended before the other began.", out: "Comes before", in: "Comes after" },
};

export const STATUS_NAMES: Readonly<Record<string, { label: string; says: string }>> = {
  active: { label: "active", says: "Has worked, and is suggested." },
  draft: { label: "draft", says: "Has not worked yet, and is not suggested." },
  degraded: {
    label: "degraded",
    says: "Failed three times in a row, or a tool of it is gone: it does not run by itself.",
  },
};

export const MODE_NAMES: Readonly<Record<string, string>> = {
  direct: "code was given",
  named: "called by its name",
  speculation: "chosen by the memory",
};
