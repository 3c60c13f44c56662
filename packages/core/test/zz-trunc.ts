import { cpSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { CapabilityStore } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
const root = "/tmp/mem/trunc"; rmSync(root, { recursive: true, force: true }); mkdirSync(root);
const embedder = createHashEmbedder();
const base = join(root, "base");
{
  const s = await CapabilityStore.open({ dataDir: base, embedder });
  for (let i = 0; i < 60; i++) { const { capability } = await s.create({ source: { type: "tool", toolId: "a:b", defaultArgs: { i } }, intent: `thing number ${i} ` + "word ".repeat(40) }); await s.recordRun({ trace: { capabilityId: capability.id, success: true, startedAt: new Date(), durationMs: 1, args: { t: "x".repeat(300) } } }); }
  const names = await s.context.database.query<{ relname: string; f: string }>("select relname, pg_relation_filepath(oid::regclass) as f from pg_class where relfilenode <> 0 or relname in ('pg_class','pg_attribute')");
  (globalThis as any).names = new Map(names.map(n => [n.f, n.relname]));
  await s.close();
}
const read = async (dir: string) => { const s = await CapabilityStore.open({ dataDir: dir, embedder }); try { return [(await s.list({ limit: 1000 })).length, (await s.listTraces({ limit: 1000 })).length, (await s.searchByIntent("thing number 7")).length, (await s.getAllDependencies()).length].join(); } finally { await s.close(); } };
const good = await read(base); console.log("good", good);
const files = readdirSync(join(base, "postgres"), { recursive: true, encoding: "utf8" }).filter(f => statSync(join(base, "postgres", f)).isFile() && statSync(join(base, "postgres", f)).size > 0);
const names = (globalThis as any).names as Map<string, string>;
const interesting = files.filter(f => !f.startsWith("base/") || /workflow_pattern|execution_trace|embedding|^pg_class|^pg_attribute$|pg_attribute_relid|pg_proc$|pg_type$|capability_dependency$|pg_index$|schema_version|pg_namespace$|pg_opclass$/.test(names.get(f) ?? "") );
console.log(files.length, interesting.length);
for (const f of interesting) for (const part of [0, 0.5]) {
  const dir = join(root, "try"); rmSync(dir, { recursive: true, force: true }); cpSync(base, dir, { recursive: true });
  const p = join(dir, "postgres", f); const size = statSync(p).size; truncateSync(p, Math.floor(size * part) - (part ? 100 : 0));
  const before = readdirSync(dir, { recursive: true }).length;
  let r: string;
  try { const got = await Promise.race([read(dir), new Promise<string>((_, j) => setTimeout(() => j(new Error("HANG")), 60000))]); r = got === good ? "same" : `DIFFERENT ${got}`; } catch (e: any) { r = `${e.name} ${e.code} ${String(e.message).slice(0, 110)}`; }
  if (r !== "same") console.log(f, names.get(f) ?? "", size, part, "→", r);
}
console.log("done"); process.exit(0);
