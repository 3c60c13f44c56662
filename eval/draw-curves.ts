const [WIDTH, HEIGHT, MARGIN] = [480, 300, 40];
const COLOURS = ["#2563eb", "#d97706"];

/** Shares from 0 to 1 as lines over labelled steps. */
export function drawCurves(labels: readonly string[], curves: Record<string, readonly number[]>): string {
  const x = (at: number): number => MARGIN + (at * (WIDTH - 2 * MARGIN)) / Math.max(1, labels.length - 1);
  const y = (share: number): number => HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<path d="M${MARGIN} ${y(share)}H${WIDTH - MARGIN}" stroke="#ddd"/><text x="6" y="${y(share) + 4}">${100 * share} %</text>`,
  );
  const steps = labels.map((label, at) => `<text x="${x(at)}" y="${HEIGHT - 20}" text-anchor="middle">${label}</text>`);
  const lines = Object.entries(curves).map(([name, shares], at) => {
    const points = shares.map((share, step) => `${x(step).toFixed(1)},${y(share).toFixed(1)}`).join(" ");
    const colour = COLOURS[at % COLOURS.length];
    const legend = `<text x="${MARGIN + 8}" y="${20 + 16 * at}" fill="${colour}">${name}</text>`;
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>${legend}`;
  });
  const content = [...grid, ...steps, ...lines].join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">\n${content}\n</svg>\n`;
}
