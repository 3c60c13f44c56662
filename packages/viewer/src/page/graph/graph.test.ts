import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Picture, PictureNode } from "../../memory-view.js";
import { type Camera, createCamera, panBy, toScene, toScreen, zoomAt } from "./camera.js";
import { createHitGrid } from "./hit-grid.js";
import { placeLabels } from "./labels.js";
import { listRegions } from "./regions.js";
import { applyFilter, createScene, type Filter, listNeighbours } from "./scene.js";
import { stepTo } from "./step-to.js";

const ALL: Filter = {
  kinds: new Set(["tool", "capability", "operation"]),
  links: new Set(["dependency", "contains", "provides", "alternative", "sequence"]),
};
const WINDOW = { width: 800, height: 600, count: 5 };

function node(x: number, y: number, rest: Partial<PictureNode> = {}): PictureNode {
  return { thing: `a:${x}.${y}`, kind: "tool", label: `a:${x}.${y}`, x, y, weight: 0.5, ...rest };
}

/** One in the middle, and one on each side of it. */
const CROSS: Picture = {
  nodes: [node(0, 0, { weight: 1 }), node(-100, 0), node(100, 0), node(0, -100), node(0, 100, { kind: "capability" })],
  links: [
    { from: 0, to: 1, type: "dependency" },
    { from: 4, to: 0, type: "contains" },
  ],
  captions: [],
};

describe("the camera", () => {
  const cameras: fc.Arbitrary<Camera> = fc
    .record({ x: fc.integer({ min: -500, max: 500 }), zoom: fc.double({ min: 0.1, max: 3, noNaN: true }) })
    .map(({ x, zoom }) => zoomAt({ ...createCamera(createScene(CROSS, []).box, WINDOW), x }, zoom));
  const points = fc.record({ x: fc.integer({ min: 0, max: 800 }), y: fc.integer({ min: 0, max: 600 }) });

  it("finds the way back from window to scene", () => {
    fc.assert(
      fc.property(cameras, points, (camera, point) => {
        const back = toScreen(camera, toScene(camera, point));
        expect(back.x).toBeCloseTo(point.x, 6);
        expect(back.y).toBeCloseTo(point.y, 6);
      }),
    );
  });

  it("keeps what is under the pointer there while it zooms", () => {
    fc.assert(
      fc.property(cameras, points, fc.double({ min: 0.2, max: 5, noNaN: true }), (camera, point, factor) => {
        const held = toScreen(zoomAt(camera, factor, point), toScene(camera, point));
        expect(held.x).toBeCloseTo(point.x, 5);
        expect(held.y).toBeCloseTo(point.y, 5);
      }),
    );
  });

  it("moves what is seen as far as it is pulled", () => {
    const camera = createCamera(createScene(CROSS, []).box, WINDOW);
    const before = toScreen(camera, { x: 3, y: 4 });
    const after = toScreen(panBy(camera, { x: 30, y: -20 }), { x: 3, y: 4 });
    expect([after.x - before.x, after.y - before.y].map(Math.round)).toEqual([30, -20]);
  });

  it("sees all of a scene, whatever the window", () => {
    const { box, nodes } = createScene(CROSS, []);
    for (const [width, height] of [
      [1280, 740],
      [390, 700],
      [2000, 300],
    ] as const) {
      const camera = createCamera(box, { width, height, count: 5 });
      for (const each of nodes) {
        const { x, y } = toScreen(camera, each);
        expect(x > 0 && y > 0 && x < width && y < height, `${width}×${height}`).toBe(true);
      }
    }
  });
});

describe("a scene", () => {
  const scene = createScene(CROSS, []);
  const shown = applyFilter(scene, ALL);

  it("hides the links of what is hidden", () => {
    const { nodes, links } = applyFilter(scene, { ...ALL, kinds: new Set(["tool"]) });
    expect(nodes).toEqual([true, true, true, true, false]);
    expect(links).toEqual([true, false]);
    expect(applyFilter(scene, { ...ALL, links: new Set(["contains"]) }).links).toEqual([false, true]);
    expect(listNeighbours(scene, { nodes, links }, 0)).toEqual([1]);
  });

  it.each([
    ["left", 1],
    ["right", 2],
    ["up", 3],
    ["down", 4],
  ] as const)("leads the arrow key %s to the node that way", (direction, to) => {
    expect(stepTo(scene, shown, { from: 0, direction })).toBe(to);
    expect(stepTo(scene, shown, { from: to, direction })).toBeUndefined();
  });

  it("begins a walk with what says most, and passes by what is hidden", () => {
    expect(stepTo(scene, shown, { from: undefined, direction: "left" })).toBe(0);
    const tools = applyFilter(scene, { ...ALL, kinds: new Set(["tool"]) });
    expect(stepTo(scene, tools, { from: 0, direction: "down" })).toBeUndefined();
  });

  it("is hit where its nodes are, and not beside them", () => {
    const camera = createCamera(scene.box, WINDOW);
    const find = createHitGrid(scene);
    for (const [index, each] of scene.nodes.entries()) expect(find(camera, toScreen(camera, each), shown)).toBe(index);
    expect(find(camera, toScreen(camera, { x: 50, y: 50 }), shown)).toBeUndefined();
    const hidden = applyFilter(scene, { ...ALL, kinds: new Set() });
    expect(find(camera, toScreen(camera, { x: 0, y: 0 }), hidden)).toBeUndefined();
  });

  it("has no name on a node or on another name", () => {
    const crowd = createScene(
      { ...CROSS, nodes: Array.from({ length: 300 }, (_, at) => node(at % 20, Math.floor(at / 20))) },
      [],
    );
    const camera = createCamera(crowd.box, { ...WINDOW, count: 300 });
    const options = { shown: applyFilter(crowd, ALL), first: [], blocked: [], only: false, measure: () => 40 };
    const labels = placeLabels(crowd, camera, options);
    const overlaps = labels.flatMap((a, at) =>
      labels.slice(at + 1).filter((b) => Math.abs(a.x - b.x) < 38 && Math.abs(a.y - b.y) < 12),
    );
    expect(labels.length).toBeGreaterThan(5);
    expect(overlaps).toEqual([]);
  });

  it("names communities where there are too many nodes to name", () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ x: at, y: 0, community: at % 2 }));
    expect(listRegions(many, [{ label: "fs:read, fs:write", size: 250 }])).toMatchObject([{ text: "fs:read" }]);
    expect(listRegions(many.slice(0, 20), [{ label: "fs:read", size: 10 }])).toEqual([]);
  });
});
