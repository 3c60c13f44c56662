import { CHARACTERS_A_SECOND, type Summary, type TurnShare } from "./summary.js";

const [WIDTH, HEIGHT, LEFT, TOP, BASE] = [640, 330, 50, 70, 270];
const COLOURS = { reused: "#2563eb", wrong: "#dc2626", grid: "#ddd" };

/** Of the requests at each turn, what share the memory served, and what share it served wrongly. Nothing in it varies by machine. */
export function drawSummary(turns: readonly TurnShare[], total: Summary): string {
  const step = (WIDTH - 2 * LEFT) / turns.length;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<path d="M${LEFT} ${y(share)}H${WIDTH - LEFT}" stroke="${COLOURS.grid}"/><text x="8" y="${y(share) + 4}">${100 * share} %</text>`,
  );
  const bars = turns.flatMap(({ turn, reused, wrong }, at) => {
    const x = LEFT + at * step;
    return [
      bar(x + step * 0.15, y(reused), COLOURS.reused),
      bar(x + step * 0.5, y(wrong), COLOURS.wrong),
      `<text x="${(x + step / 2).toFixed(1)}" y="${BASE + 18}" text-anchor="middle">${turn}</text>`,
    ];
  });
  const content = [...grid, ...bars, ...describe(total)].join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">\n${content}\n</svg>\n`;

  function bar(x: number, top: number, colour: string): string {
    const height = BASE - top;
    return `<rect x="${x.toFixed(1)}" y="${top.toFixed(1)}" width="${(step * 0.3).toFixed(1)}" height="${height.toFixed(1)}" fill="${colour}"/>`;
  }
}

function describe({ asked, reused, wrong, charactersSaved, charactersWritten }: Summary): string[] {
  const seconds = (charactersSaved / CHARACTERS_A_SECOND).toFixed(0);
  return [
    `<text x="${LEFT}" y="20" fill="${COLOURS.reused}">served by the memory: ${percent(reused, asked)} of ${asked} requests without code</text>`,
    `<text x="${LEFT}" y="38" fill="${COLOURS.wrong}">another task's code ran: ${percent(wrong, asked)}</text>`,
    `<text x="${LEFT}" y="56">not written by a model: ${percent(charactersSaved, charactersSaved + charactersWritten)} of all characters, ${seconds} s of writing at ${CHARACTERS_A_SECOND} a second</text>`,
    `<text x="${WIDTH / 2}" y="${HEIGHT - 16}" text-anchor="middle">which time a task is asked for, each time in other words and with other values</text>`,
  ];
}

function y(share: number): number {
  return BASE - share * (BASE - TOP);
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
