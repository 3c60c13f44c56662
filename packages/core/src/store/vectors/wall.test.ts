import * as fc from "fast-check";
import { expect, it } from "vitest";

import { VISIBILITIES } from "../../model/scope.js";
import { isVisible, readWall, writeWall } from "./wall.js";

const few = fc.constantFrom("a", "b", "");
const wall = fc.record({ org: few, project: few, owner: few, visibility: fc.constantFrom(...VISIBILITIES) });
const scope = fc.record({ org: few, project: few, actor: fc.constantFrom("a", "b") });

it("a wall is read back as it was written, whatever the names", () => {
  const any = fc.record({ org: fc.string(), project: fc.string(), owner: fc.string(), visibility: fc.constant("org") });
  fc.assert(
    fc.property(any, (each) => {
      expect(readWall(writeWall(each as never))).toEqual(each);
    }),
  );
});

it("nothing is seen from another project that was not shared, nor what is another actor's", () => {
  fc.assert(
    fc.property(wall, scope, (each, from) => {
      const isShared = each.visibility === "org" || each.visibility === "public";
      if (isShared) return;
      const isOwn = each.org === from.org && each.project === from.project && ["", from.actor].includes(each.owner);
      expect(isVisible(each, from)).toBe(isOwn);
    }),
  );
});

it("what is an organisation's is seen in it, and what is public everywhere", () => {
  fc.assert(
    fc.property(wall, scope, (each, from) => {
      expect(isVisible({ ...each, visibility: "org" }, { ...from, org: each.org })).toBe(true);
      expect(isVisible({ ...each, visibility: "public" }, from)).toBe(true);
    }),
  );
});
