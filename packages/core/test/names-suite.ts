import { type Database, parseFqdn, PmlError } from "@pml/core";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createWorld, learn, type World } from "./names-world.js";

/** What names do, whatever database is behind them. Each call of `open` gives an empty one. */
export function describeNames(name: string, open: () => Promise<Database>): void {
  describe(`names on ${name}`, () => {
    let world: World;
    let serial = 0;
    const scope = { org: "acme", project: "webapp", actor: "erwan@acme.io" };
    const code = (): string => `return mcp.fs.read_${++serial}({ path: "file.json" });`;
    const named = async (display: string, given: object = {}): Promise<string> => {
      const id = await world.learn(code(), { intent: `read file ${serial}` });
      await world.names.assign({ capabilityId: id, name: display, ...given });
      return id;
    };
    /** A name nobody has had. */
    const fresh = (): string => `fs:read_thing_${++serial}`;

    beforeAll(async () => {
      world = await createWorld({ database: await open(), scope });
    });
    afterAll(() => world.close());

    describe("AC10: resolution", () => {
      it("finds a name as agents say it, and what it was called before, with a warning", async () => {
        const [old, now] = [fresh(), fresh()];
        const id = await named(old);
        expect(await world.names.resolve(`cap:${old}`)).toMatchObject({
          capability: { id },
          via: "name",
          warning: undefined,
        });
        await world.names.rename(old, now);
        const warned = world.warnings.length;
        const resolution = await world.names.resolve(`cap:${old}`);
        expect(resolution).toMatchObject({ capability: { id, name: now }, name: now, via: "alias" });
        expect(world.warnings.slice(warned)).toEqual([expect.stringContaining(now)]);
        expect(await world.names.lookup(old)).toMatchObject({ displayName: now, aliases: [old] });
      });

      it("takes an FQDN, a short one, one from before a rename, and an id", async () => {
        const [old, now] = [fresh(), fresh()];
        const id = await named(old);
        const { fqdn } = await world.names.lookup(old);
        const renamed = await world.names.rename(old, now);
        expect(renamed.fqdn).not.toBe(fqdn);
        for (const each of [fqdn, fqdn.slice(0, -6), renamed.fqdn, id, renamed.fqdn.replace(/\.[0-9a-f]+$/, "")])
          expect(await world.names.resolve(each)).toMatchObject({ capability: { id }, name: now });
      });

      it("crosses projects by org.project, and only to what is shared", async () => {
        const other = world.names.withScope({ project: "mobile", actor: "ada@acme.io" });
        const abroad = world.names.withScope({ org: "else", project: "webapp", actor: "eve" });
        const [shared, open, own] = [fresh(), fresh(), fresh()];
        for (const each of [shared, open, own]) await named(each);
        await world.names.tag(shared, { visibility: "org" });
        await world.names.tag(open, { visibility: "public" });
        const seen = async (names: typeof other, display: string): Promise<boolean> => {
          const error = await names.resolve(`acme.webapp:${display}`).then(() => undefined, codeOf);
          return error !== "PML_NOT_FOUND";
        };
        expect(await Promise.all([shared, open, own].map((each) => seen(other, each)))).toEqual([true, true, false]);
        expect(await Promise.all([shared, open, own].map((each) => seen(abroad, each)))).toEqual([false, true, false]);
        await expect(other.resolve(shared)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(other.rename(`acme.webapp:${shared}`, fresh())).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(abroad.tag(`acme.webapp:${open}`, { add: ["x"] })).rejects.toMatchObject({
          code: "PML_NOT_FOUND",
        });
      });
    });

    it("does not find what is private to another, in any query, and lets both have the name", async () => {
      const display = fresh();
      const ada = world.names.withScope({ actor: "ada@acme.io" });
      const mine = await world.learn(code(), { visibility: "private", intent: "a secret" });
      const record = await world.names.assign({ capabilityId: mine, name: display, tags: ["secret"] });
      for (const each of [display, record.fqdn, mine, `acme.webapp:${display}`]) {
        await expect(ada.resolve(each)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(ada.lookup(each)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(ada.whois(each)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(ada.history(each)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(ada.rename(each, fresh())).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(ada.tag(each, { add: ["x"] })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(ada.remove(each)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
        await expect(ada.fork({ source: each, name: fresh() })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
      }
      expect(await ada.query({ tags: ["secret"] })).toEqual([]);
      expect((await ada.listCapabilities({ limit: 10_000 })).some(({ id }) => id === mine)).toBe(false);
      const store = world.store.withScope({ actor: "ada@acme.io" });
      const hers = await learn(store, code(), { visibility: "private", intent: "hers" });
      await ada.assign({ capabilityId: hers, name: display });
      expect(await ada.resolve(display)).toMatchObject({ capability: { id: hers } });
      expect(await world.names.resolve(display)).toMatchObject({ capability: { id: mine } });
    });

    describe("AC11: records", () => {
      it("have every field", async () => {
        const display = fresh();
        const id = await named(display, { tags: ["json", "IO"], versionTag: "v1.0.0" });
        const record = await world.names.lookup(display);
        const [namespace = "", action = ""] = display.split(":");
        expect(parseFqdn(record.fqdn)).toMatchObject({ org: "acme", project: "webapp", namespace, action });
        expect(record).toEqual({
          fqdn: expect.stringMatching(/\.[0-9a-f]{16}$/),
          displayName: display,
          namespace,
          action,
          org: "acme",
          project: "webapp",
          capabilityId: id,
          description: undefined,
          createdBy: "erwan@acme.io",
          createdAt: expect.any(Date),
          version: 1,
          versionTag: "v1.0.0",
          updatedBy: "erwan@acme.io",
          updatedAt: expect.any(Date),
          ttl: 1800,
          cachePolicy: "memoize",
          parentId: undefined,
          forkedFrom: undefined,
          aliases: [],
          verified: false,
          signature: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
          usageCount: 1,
          successRate: 1,
          averageDurationMs: 10,
          tags: ["io", "json"],
          visibility: "project",
        });
      });

      it("show the cache's settings in their own words", async () => {
        const rows = [
          { cacheable: false },
          { keyStrategy: "none" as const },
          { ttlSeconds: 60 },
          { invalidateOn: ["manual_only" as const] },
        ];
        const views = [];
        for (const cacheConfig of rows) {
          const display = fresh();
          await world.names.assign({ capabilityId: await world.learn(code(), { cacheConfig }), name: display });
          const { ttl, cachePolicy } = await world.names.lookup(display);
          views.push([ttl, cachePolicy]);
        }
        expect(views).toEqual([
          [undefined, "none"],
          [undefined, "none"],
          [60, "memoize"],
          [undefined, "persistent"],
        ]);
      });
    });

    it("renames as often as one likes: every old name leads to the same capability, and no alias to an alias", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }), async (steps) => {
          const base = fresh();
          const id = await named(`${base}_x`);
          let current = `${base}_x`;
          const had = new Set([current]);
          for (const step of steps) {
            const next = `${base}_${step}`;
            await world.names.rename(current, next);
            current = next;
            had.add(next);
          }
          for (const each of had) expect((await world.names.resolve(each)).capability.id).toBe(id);
          const { aliases, displayName } = await world.names.lookup(current);
          expect(new Set([...aliases, displayName])).toEqual(had);
          expect(aliases).not.toContain(displayName);
        }),
        { numRuns: 15 },
      );
      const chains = await world.store.context.database.query(
        `select a.alias from capability_aliases a left join capability_records r on r.id = a.target_fqdn
         where r.id is null or exists (select 1 from capability_records o where o.org = a.org and o.project = a.project and o.owner = a.owner and o.display_name = a.alias)`,
      );
      expect(chains).toEqual([]);
    });

    it("resolves the same name to the same thing, however often and in whatever order it is asked", async () => {
      const displays = [fresh(), fresh(), fresh()];
      for (const each of displays) await named(each);
      const first = new Map<string, string>();
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...displays), { maxLength: 6 }), async (asked) => {
          const found = await Promise.all(asked.map((each) => world.names.resolve(each)));
          for (const [index, { capability }] of found.entries()) {
            const display = asked[index] ?? "";
            expect(first.get(display) ?? capability.id).toBe(capability.id);
            first.set(display, capability.id);
          }
        }),
        { numRuns: 15 },
      );
    });

    it("gives eight who rename one name at once one winner, and seven errors that say what it is called now", async () => {
      const display = fresh();
      await named(display);
      const wanted = Array.from({ length: 8 }, () => fresh());
      const outcomes = await Promise.allSettled(wanted.map((each) => world.names.rename(display, each)));
      const won = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value.displayName] : []));
      expect(won).toHaveLength(1);
      const errors = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
      expect(errors.map(codeOf)).toEqual(Array.from({ length: 7 }, () => "PML_NAME_CHANGED"));
      for (const error of errors) expect(error.message).toContain(won[0]);
    });

    it("gives eight who want one name at once one winner, and seven errors that it is taken", async () => {
      const displays = Array.from({ length: 8 }, () => fresh());
      for (const each of displays) await named(each);
      const wanted = fresh();
      const outcomes = await Promise.allSettled(displays.map((each) => world.names.rename(each, wanted)));
      const errors = outcomes.flatMap((each) => (each.status === "rejected" ? [codeOf(each.reason)] : []));
      expect(errors).toEqual(Array.from({ length: 7 }, () => "PML_NAME_TAKEN"));
    });

    it("keeps a deleted name for thirty days, and its old names too", async () => {
      const [old, display] = [fresh(), fresh()];
      const id = await named(old);
      await world.names.rename(old, display);
      const before = world.clock.now;
      const { reservedUntil } = await world.names.remove(display);
      expect(reservedUntil.getTime() - before.getTime()).toBe(30 * 86_400_000);
      expect(await world.store.find(id)).toBeUndefined();
      await expect(world.names.resolve(display)).rejects.toMatchObject({
        code: "PML_NOT_FOUND",
        message: expect.stringContaining("deleted"),
      });
      const other = await world.learn(code());
      for (const each of [old, display])
        await expect(world.names.assign({ capabilityId: other, name: each })).rejects.toMatchObject({
          code: "PML_NAME_TAKEN",
        });
      world.clock.now = new Date(before.getTime() + 30 * 86_400_000);
      expect(await world.names.assign({ capabilityId: other, name: display })).toMatchObject({ displayName: display });
      world.clock.now = before;
    });

    it("reserves the name of what the store removes by its id as well", async () => {
      const display = fresh();
      const id = await named(display);
      await world.store.remove(id);
      await expect(world.names.resolve(display)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
      const other = await world.learn(code());
      await expect(world.names.assign({ capabilityId: other, name: display })).rejects.toMatchObject({
        code: "PML_NAME_TAKEN",
      });
    });

    it("refuses to run what is no longer what was stored", async () => {
      for (const change of [
        `source = '{"type":"code","code":"return mcp.fs.delete({})"}'`,
        "parameterised_code = 'return 1'",
        `parameters = '{}'`,
        `permissions = '{}'`,
        "signature = null",
      ]) {
        const display = fresh();
        const id = await named(display);
        await world.store.context.database.query(`update workflow_pattern set ${change} where pattern_id = $1`, [id]);
        await expect(world.names.resolve(display)).rejects.toMatchObject({ code: "PML_SIGNATURE_MISMATCH" });
        await expect(world.names.resolveCapabilities([display])).rejects.toMatchObject({
          code: "PML_SIGNATURE_MISMATCH",
        });
      }
    });
  });
}

function codeOf(error: unknown): string {
  return error instanceof PmlError ? error.code : String(error);
}
