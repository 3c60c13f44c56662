import { Buffer } from "node:buffer";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** As in browsers; errors are plain ones, since Node's would bring in classes of the host. */
export function atob(text: unknown): string {
  const compact = String(text).replace(/[\t\n\f\r ]/g, "");
  if (!BASE64.test(compact)) throw new Error("atob: the text is not base64.");
  return Buffer.from(compact, "base64").toString("latin1");
}

export function btoa(text: unknown): string {
  const binary = String(text);
  // oxlint-disable-next-line no-control-regex -- a byte is what btoa takes
  if (/[^\u0000-\u00ff]/.test(binary)) throw new Error("btoa: the text has characters beyond U+00FF.");
  return Buffer.from(binary, "latin1").toString("base64");
}
