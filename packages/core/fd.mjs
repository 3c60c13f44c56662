import { CapabilityStore } from "./dist/index.js";
import { createHashEmbedder } from "@pml/embeddings";
const kb = Number(process.argv[2]);
const store = await CapabilityStore.open({ dataDir: "/tmp/fd/memory", embedder: createHashEmbedder() });
const args = { text: Array.from({ length: kb * 90 }, () => Math.random().toString(36)).join("") };
let n = 0; const t0 = Date.now();
const tick = setInterval(() => console.log(n, Date.now() - t0), 4000);
try { while (true) { await store.recordRun({ trace: { success: true, startedAt: new Date(), durationMs: 1, args } }); n++; } } catch (e) { console.log("failed", n, Date.now()-t0, e.code, e.message.slice(0,100)); }
clearInterval(tick);
await store.close(); console.log("closed", Date.now()-t0);
