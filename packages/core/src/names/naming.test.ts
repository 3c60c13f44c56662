import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { checkDisplayName, findBrokenRule, unnamed } from "./display-name.js";
import { formatFqdn, hashRecord, parseFqdn, shortenFqdn } from "./fqdn.js";
import { globToLike } from "./glob.js";
import { formatReference, parseReference } from "./reference.js";
import { chooseVersion, parseVersion } from "./version.js";

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const displayName = fc
  .tuple(word, word, word)
  .map(([namespace, verb, target]) => ({ namespace, action: `${verb}_${target}` }))
  .filter(({ namespace, action }) => findBrokenRule(`${namespace}:${action}`) === undefined);
/** Anything a scope may be called: dots, colons and accents included. */
const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const home = fc.record({ org: part, project: part });
const hash = fc.stringMatching(/^[0-9a-f]{16}$/);
const version = fc.oneof(
  fc.constant("latest"),
  fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }).map((numbers) => `v${numbers.join(".")}`),
  fc
    .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);

describe("full names", () => {
  it("read back as what was written, whatever org and project are called", () => {
    fc.assert(
      fc.property(home, displayName, hash, (home, name, hash) => {
        const fqdn = { ...home, ...name, hash };
        expect(parseFqdn(formatFqdn(fqdn))).toEqual(fqdn);
      }),
    );
  });

  it("write back as what was read", () => {
    const text = "acme.webapp.fs.read_json.a7f3a7f3a7f3a7f3";
    expect(formatFqdn(parseFqdn(text))).toBe(text);
    expect(shortenFqdn(text)).toBe("acme.webapp.fs.read_json.a7f3");
  });

  it("have a hash that tells a million apart", () => {
    const first = { home: "acme.webapp", owner: "", name: "fs:read_json", salt: 0 };
    const hashes = new Set<string>();
    for (let count = 0; count < 1_000_000; count++) hashes.add(hashRecord({ ...first, codeHash: String(count) }));
    expect(hashes.size).toBe(1_000_000);
  });

  it.each([
    "",
    "a.b.c",
    "acme.webapp.fs.read_json.",
    "acme..fs.read_json.a7f3",
    "acme.%zz.fs.read_json.a7f3",
    "a.b.fs.read_json.xyz1",
  ])("refuse %j", (text) => {
    expect(() => parseFqdn(text)).toThrow(expect.objectContaining({ code: "PML_NAME_INVALID" }));
  });
});

describe("references", () => {
  it("read back as what was written, in every form", () => {
    const target = fc.oneof(
      displayName.map(({ namespace, action }) => ({ kind: "name" as const, name: `${namespace}:${action}` })),
      fc.tuple(displayName, home).map(([{ namespace, action }, home]) => ({
        kind: "name" as const,
        name: `${namespace}:${action}`,
        home,
      })),
      fc
        .tuple(home, displayName, hash)
        .map(([home, name, hash]) => ({ kind: "fqdn" as const, fqdn: { ...home, ...name, hash } })),
      hash.map((hash) => ({ kind: "unnamed" as const, hash })),
      fc.uuid().map((id) => ({ kind: "id" as const, id })),
    );
    fc.assert(
      fc.property(target, version, (target, version) => {
        const reference = { target, version: parseVersion(version) };
        expect(parseReference(formatReference(reference))).toEqual(reference);
        expect(parseReference(`cap:${formatReference(reference)}`)).toEqual(reference);
      }),
    );
  });

  it("never fail in another way than by saying what is wrong", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(["fine", "PML_NAME_INVALID"]).toContain(outcomeOf(() => parseReference(text)));
      }),
    );
  });

  it("may leave the hash out across projects", () => {
    expect(parseReference("marketplace.public.fs.read_json")).toEqual(
      parseReference("cap:marketplace.public:fs:read_json"),
    );
  });
});

describe("display names", () => {
  it.each(["fs:read_json", "api:fetch_user_auth", "transform:csv_to_json", "db:query_2"])("may be %s", (name) => {
    expect(checkDisplayName(name).name).toBe(name);
  });

  it.each([
    ["read_json", "form"],
    ["a:b:c_d", "form"],
    ["Fs:read_json", "namespace"],
    ["my_fs:read_json", "namespace"],
    ["fs:readJson", "action"],
    ["fs:read__json", "action"],
    ["fs:_read_json", "action"],
    ["fs:2_json", "action"],
    ["fs:read", "target"],
    ["cap:read_json", "reserved"],
    ["unnamed:read_json", "reserved"],
    ["constructor:read_json", "reserved"],
    ["__proto__:read_json", "namespace"],
    [`fs:read_${"x".repeat(80)}`, "length"],
    [`fs:read_${"x_".repeat(10_000)}`, "length"],
    ["x".repeat(10_000), "form"],
  ])("may not be %s: rule %s", (name, rule) => {
    expect(() => checkDisplayName(name)).toThrow(
      expect.objectContaining({ code: "PML_NAME_INVALID", details: expect.objectContaining({ rule }) }),
    );
  });

  it("are never those that PML gives itself", () => {
    const sayable = fc.sample(hash, 200).filter((each) => findBrokenRule(unnamed(each)) === undefined);
    expect(sayable).toEqual([]);
  });
});

describe("versions", () => {
  const versions = [
    { version: 1, versionTag: undefined, updatedAt: at("2025-12-01") },
    { version: 2, versionTag: "v1.0.0", updatedAt: at("2025-12-10") },
    { version: 3, versionTag: "v1.2.0", updatedAt: at("2025-12-22") },
    { version: 4, versionTag: "v1.1.9", updatedAt: at("2025-12-23") },
    { version: 5, versionTag: "v2", updatedAt: at("2025-12-24") },
  ];

  it.each<[string, number | undefined]>([
    ["latest", 5],
    ["v1", 3],
    ["v1.1", 4],
    ["v1.2.0", 3],
    ["v2.0.0", 5],
    ["v3", 3],
    ["v9", undefined],
    ["v1.7", undefined],
    ["2025-12-22", 3],
    ["2025-12-21", 2],
    ["2024-01-01", undefined],
  ])("@%s means version %s", (specifier, expected) => {
    expect(chooseVersion(versions, parseVersion(specifier))?.version).toBe(expected);
  });

  it.each(["", "1", "v", "v1.2.3.4", "2025-02-30", "2025-13-01", "newest"])("refuse @%s", (text) => {
    expect(() => parseVersion(text)).toThrow(expect.objectContaining({ code: "PML_NAME_INVALID" }));
  });

  it("do not depend on the order they are listed in", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(versions, { minLength: versions.length }), version, (shuffled, text) => {
        const specifier = parseVersion(text);
        expect(chooseVersion(shuffled, specifier)).toBe(chooseVersion(versions, specifier));
      }),
    );
  });
});

it("globs have no special characters but * and ?", () => {
  expect(globToLike("a%b_c\\d*e?")).toBe("a\\%b\\_c\\\\d%e_");
});

function outcomeOf(work: () => unknown): string {
  try {
    work();
    return "fine";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

function at(day: string): Date {
  return new Date(`${day}T10:00:00Z`);
}
