import { writeDocument } from "./document/document.js";
import { type RenderOptions, resolveOptions } from "./options.js";
import { type DrawnMemory, gather } from "./read/gather.js";
import { viewMemory } from "./view/view-memory.js";

/** A memory as one HTML file that stands alone: it loads nothing, and nothing in the memory can run in it. */
export async function renderHtml(pml: DrawnMemory, options?: RenderOptions): Promise<string> {
  const resolved = resolveOptions(options);
  return writeDocument(viewMemory(await gather(pml, resolved), resolved));
}
