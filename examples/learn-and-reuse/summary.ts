import type { Served } from "./serve.js";

/** A model writes about 60 tokens of 4 characters a second; said beside every figure that rests on it. */
export const CHARACTERS_A_SECOND = 240;

export interface Summary {
  /** Requests for a task that was asked for before. */
  asked: number;
  /** Requests for a task never seen, for which something ran nevertheless. */
  wrongAtFirst: number;
  reused: number;
  wrong: number;
  /** Answers that were not right in the end. */
  mistaken: number;
  charactersSaved: number;
  charactersWritten: number;
  /** What writing would have taken, less what the memory took to answer instead. */
  secondsSaved: number;
  medianReuseMs: number;
}

/** Of the requests at one turn, how many were served by the memory and how many wrongly. */
export interface TurnShare {
  turn: number;
  reused: number;
  wrong: number;
}

export function summarise(all: readonly Served[]): Summary {
  const asked = all.filter(({ turn }) => turn > 0);
  const reused = asked.filter(({ how }) => how === "reused");
  const charactersSaved = sum(reused, ({ characters }) => characters);
  return {
    asked: asked.length,
    wrongAtFirst: all.filter(({ turn, how }) => turn === 0 && how !== "wrote").length,
    reused: reused.length,
    wrong: asked.filter(({ how }) => how === "wrong").length,
    mistaken: all.filter(({ right }) => !right).length,
    charactersSaved,
    charactersWritten: sum(all, ({ characters }) => characters) - charactersSaved,
    secondsSaved: charactersSaved / CHARACTERS_A_SECOND - sum(asked, ({ answeredMs }) => answeredMs) / 1000,
    medianReuseMs: median(reused.map(({ answeredMs }) => answeredMs)),
  };
}

export function summariseTurns(all: readonly Served[]): TurnShare[] {
  const turns = [...new Set(all.map(({ turn }) => turn))].sort((a, b) => a - b);
  return turns.map((turn) => {
    const rows = all.filter((each) => each.turn === turn);
    const share = (how: Served["how"]): number => rows.filter((each) => each.how === how).length / rows.length;
    return { turn: turn + 1, reused: share("reused"), wrong: share("wrong") };
  });
}

function sum(rows: readonly Served[], of: (row: Served) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
