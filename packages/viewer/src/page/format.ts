const WHEN = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const NUMBER = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

/** `0.4 ms`, `38 ms`, `1.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return "–";
  if (ms < 1000) return `${ms < 10 ? NUMBER.format(ms) : Math.round(ms)} ms`;
  if (ms < 60_000) return `${NUMBER.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function formatWhen(ms: number): string {
  return WHEN.format(ms);
}

export function formatDay(ms: number): string {
  return DAY.format(ms);
}

export function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** `once`, `twice`, `3 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${NUMBER.format(count)} times`;
}

/** `1 use`, `3 uses`. */
export function formatCount(count: number, one: string, many: string = `${one}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? one : many}`;
}
