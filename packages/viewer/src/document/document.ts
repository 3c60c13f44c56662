import { createHash } from "node:crypto";

import { notice, script, styles } from "pml:page";

import type { MemoryView } from "../memory-view.js";
import { escapeText, toScriptJson } from "./escape.js";

/**
 * The whole file. What is of the memory stands in it once, as JSON in a block that is not run; nothing but this page's own
 * script and style may do anything, whatever comes to stand in the page.
 */
export function writeDocument(view: MemoryView): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escapeText(view.title)}</title>
<style>${styles}</style>
</head>
<body>
<noscript>This page draws a memory with a script of its own. It loads nothing from anywhere; allow its script to see it.</noscript>
<script type="application/json" id="memory">${toScriptJson(view)}</script>
<script>${script}</script>
<!--
${notice}
-->
</body>
</html>
`;
}

const POLICY = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(styles)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  // No text becomes markup anywhere in the page, not even by mistake.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
