export { DEFAULT_RENDER_OPTIONS, type RenderOptions } from "./options.js";
export type { DrawnMemory } from "./read/gather.js";
export { renderHtml } from "./render-html.js";
