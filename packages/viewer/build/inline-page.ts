import { readFileSync } from "node:fs";
import { join } from "node:path";

import { build, type BuildOptions, type Plugin } from "esbuild";

const NAME = "pml:page";

/** Lets `import … from "pml:page"` give the page's script and style as text, bundled from `src/page`. */
export function inlinePage(folder: string): Plugin {
  return {
    name: "inline-page",
    setup(host) {
      host.onResolve({ filter: new RegExp(`^${NAME}$`) }, () => ({ path: NAME, namespace: NAME }));
      host.onLoad({ filter: /.*/, namespace: NAME }, async () => ({
        contents: await bundlePage(folder),
        loader: "js",
      }));
    },
  };
}

async function bundlePage(folder: string): Promise<string> {
  const source = join(folder, "src", "page");
  const [script, styles] = await Promise.all([
    bundle(join(source, "main.ts")),
    bundle(join(source, "styles", "main.css")),
  ]);
  const notice = readFileSync(join(folder, "NOTICE"), "utf8").trim();
  if (notice.includes("--")) throw new Error("NOTICE stands in a comment of the page, and would end it.");
  return Object.entries({ script, styles, notice })
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
    .join("\n");
}

async function bundle(entry: string): Promise<string> {
  const options = { bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "none" } as const;
  const { outputFiles } = await build({ ...(options satisfies BuildOptions), entryPoints: [entry], write: false });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`${entry} gave nothing.`);
  return file.text.trim();
}
