import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Machado, Oliveira and Fernandes (2009), in linear light, for eyes that lack one kind of cones. */
const EYES: Readonly<Record<string, Matrix>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no red": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no green": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "no blue": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const css = readFileSync(new URL("../src/page/styles/tokens.css", import.meta.url), "utf8");
const [light = "", dark = ""] = css.split('[data-theme="dark"]');
const THEMES = [
  ["light", light],
  ["dark", dark],
] as const;

describe.each(THEMES)("the %s colours", (_, theme) => {
  const read = (name: string): Triple => parse(new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(theme)?.[1] ?? "");
  const communities = Array.from({ length: 8 }, (__, index) => read(`community-${index}`));

  it.each(Object.keys(EYES))("of communities stay apart for eyes with cones for %s", (eye) => {
    const seen = communities.map((colour) => toOklab(see(EYES[eye] as Matrix, colour)));
    const distances = seen.flatMap((a, at) => seen.slice(at + 1).map((b) => distance(a, b)));
    // Two just noticeable differences side by side are about 0.04.
    expect(Math.min(...distances)).toBeGreaterThan(0.08);
  });

  it.each([
    ["ink", "ground", 7],
    ["ink", "surface", 7],
    ["muted", "ground", 4.5],
    ["muted", "surface", 4.5],
    ["muted", "sunken", 4.5],
    ["accent", "ground", 4.5],
    ["accent", "surface", 4.5],
    ["accent", "accent-soft", 4.5],
    ["good", "good-soft", 4.5],
    ["bad", "bad-soft", 4.5],
    ["bad", "ground", 4.5],
    ["warn", "warn-soft", 4.5],
    ["token-comment", "surface", 4.5],
    ["token-text", "surface", 4.5],
    ["token-number", "surface", 4.5],
    ["token-keyword", "surface", 4.5],
    ["community-other", "ground", 3],
  ])("%s can be read on %s", (text, ground, least) => {
    expect(contrast(read(text), read(ground))).toBeGreaterThanOrEqual(least);
  });

  it("of communities can be seen on the ground", () => {
    for (const colour of communities) expect(contrast(colour, read("ground"))).toBeGreaterThanOrEqual(3);
  });
});

function parse(hex: string): Triple {
  if (!/^#[0-9a-f]{6}$/.test(hex)) throw new Error(`"${hex}" is no colour.`);
  const linear = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [linear(1), linear(3), linear(5)];
}

function see(matrix: Matrix, colour: Triple): Triple {
  const [red, green, blue] = matrix.map((row) => Math.max(0, Math.min(1, dot(row, colour))));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** Ottosson (2020): where distances are as eyes see them. */
function toOklab(colour: Triple): Triple {
  const l = Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], colour));
  const m = Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], colour));
  const s = Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], colour));
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], [l, m, s]),
    dot([1.9779984951, -2.428592205, 0.4505937099], [l, m, s]),
    dot([0.0259040371, 0.7827717662, -0.808675766], [l, m, s]),
  ];
}

function distance(a: Triple, b: Triple): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function contrast(a: Triple, b: Triple): number {
  const [light, dark] = [a, b].map((colour) => dot([0.2126, 0.7152, 0.0722], colour)).sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
