import type { TaskView } from "../../memory-view.js";

export interface Bar {
  task: TaskView;
  /** How many calls of capabilities it was made in. */
  depth: number;
  /** Of the whole, from 0 to 1. */
  start: number;
  length: number;
}

export interface Timeline {
  bars: Bar[];
  totalMs: number;
}

/** What took no time is to be seen all the same. */
const LEAST = 0.004;

/** A bar for each call, the earliest first; what a capability called stands below it. */
export function arrangeTimeline(tasks: readonly TaskView[]): Timeline {
  const totalMs = tasks.reduce((end, { startMs, durationMs }) => Math.max(end, startMs + durationMs), 0);
  const depths = new Map<string, number>();
  const share = (ms: number): number => (totalMs === 0 ? 0 : ms / totalMs);
  const bars = [...tasks].sort(compareTasks).map((task): Bar => {
    const depth = task.parentId === undefined ? 0 : (depths.get(task.parentId) ?? 0) + 1;
    depths.set(task.id, depth);
    const length = Math.max(LEAST, share(task.durationMs));
    return { task, depth, start: Math.min(share(task.startMs), 1 - length), length };
  });
  return { bars, totalMs };
}

function compareTasks(a: TaskView, b: TaskView): number {
  return a.startMs - b.startMs || b.durationMs - a.durationMs || (a.id < b.id ? -1 : 1);
}
