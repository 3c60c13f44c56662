import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

import { listSpecifiers } from "./specifiers.js";

/** A source file; its path is relative to the repository: `packages/core/src/pml.ts`. */
export interface SourceFile {
  path: string;
  text: string;
}

export interface Import {
  from: SourceFile;
  specifier: string;
  typeOnly: boolean;
  /** The file it leads to, when that is one of the project's. */
  target?: SourceFile;
}

export interface Project {
  files: SourceFile[];
  imports: Import[];
}

export function createProject(files: SourceFile[]): Project {
  const byStem = new Map(files.map((file) => [stemOf(file.path), file]));
  const imports = files.flatMap((from) =>
    listSpecifiers(from.text).map(({ specifier, typeOnly }): Import => {
      const target = findTarget(from, specifier, byStem);
      return { from, specifier, typeOnly, ...(target && { target }) };
    }),
  );
  return { files, imports };
}

export function readSourceFiles(): SourceFile[] {
  return readdirSync("packages")
    .flatMap((name) => [`packages/${name}/src`, `packages/${name}/test`])
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
    )
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

export function packageOf(file: SourceFile): string {
  return file.path.split("/")[1] ?? "";
}

export function isTest(file: SourceFile): boolean {
  return file.path.endsWith(".test.ts") || file.path.split("/")[2] === "test";
}

/** Where a relative import leads, without ending; undefined for a package's name. */
export function resolveRelative(from: SourceFile, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return stemOf(posix.join(posix.dirname(from.path), specifier));
}

function findTarget(from: SourceFile, specifier: string, byStem: Map<string, SourceFile>): SourceFile | undefined {
  const stem = resolveRelative(from, specifier);
  return stem === undefined ? undefined : (byStem.get(stem) ?? byStem.get(`${stem}/index`));
}

function stemOf(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, "");
}
