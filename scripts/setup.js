// Installs and builds what is missing or out of date, and says nothing when there is nothing to do.
// It runs before anything is installed, so it uses Node alone.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ name: string, folder: string, siblings: string[] }} Package */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const STAMPS = join(ROOT, "node_modules", ".pml");
const SHARED_INPUTS = ["package-lock.json", "tsconfig.base.json", "tsup.base.ts"];

install();
for (const pkg of inBuildOrder(listPackages())) build(pkg);

function install() {
  const lock = digest(["package-lock.json"]);
  if (readStamp("install") === lock) return;
  run("Installing dependencies", ["ci", "--no-progress"], ROOT);
  writeStamp("install", lock);
}

/** @param {Package} pkg */
function build(pkg) {
  const inputs = digest([...SHARED_INPUTS, ...listInputs(pkg.folder)]);
  const signature = [inputs, ...pkg.siblings.map(readStamp)].join(" ");
  const built = existsSync(join(ROOT, pkg.folder, "dist"));
  if (built && readStamp(pkg.name) === signature) return;
  run(`Building ${pkg.name}`, ["run", "build"], join(ROOT, pkg.folder));
  writeStamp(pkg.name, signature);
}

/** @returns {Package[]} */
function listPackages() {
  return readdirSync(join(ROOT, "packages"))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(ROOT, folder, "package.json")))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
      const named = { ...manifest.dependencies, ...manifest.peerDependencies };
      const developed = { ...named, ...manifest.devDependencies };
      return {
        name: manifest.name,
        folder,
        siblings: Object.keys(developed).filter((dependency) => dependency.startsWith("@pml/")),
      };
    });
}

/**
 * A package after everything it depends on.
 * @param {Package[]} packages
 */
function inBuildOrder(packages) {
  /** @type {Set<Package>} */
  const ordered = new Set();
  /** @param {Package} pkg @param {string[]} trail */
  const visit = (pkg, trail) => {
    if (trail.includes(pkg.name)) throw new Error(`Packages in a circle: ${trail.join(" → ")}`);
    for (const sibling of packages.filter((each) => pkg.siblings.includes(each.name)))
      visit(sibling, [...trail, pkg.name]);
    ordered.add(pkg);
  };
  for (const pkg of packages) visit(pkg, []);
  return ordered;
}

/** @param {string} folder */
function listInputs(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/^(dist|node_modules|test)(\/|$)|\.test\.ts$|\.md$/.test(path))
    .filter((path) => /\.\w+$/.test(path))
    .map((path) => `${folder}/${path}`)
    .sort();
}

/** @param {string[]} paths */
function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest("hex");
}

/**
 * @param {string} title
 * @param {string[]} npmArguments
 * @param {string} folder
 */
function run(title, npmArguments, folder) {
  const started = Date.now();
  console.error(`${title} …`);
  const { status, stdout, stderr } = spawnSync("npm", [...npmArguments, "--loglevel=error"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error(`${stdout}${stderr}\n${title} failed.`);
    process.exit(1);
  }
  console.error(`${title} took ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** @param {string} name */
function readStamp(name) {
  const path = stampPath(name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** @param {string} name @param {string} value */
function writeStamp(name, value) {
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stampPath(name), value);
}

/** @param {string} name */
function stampPath(name) {
  return join(STAMPS, name.replaceAll("/", "+"));
}
