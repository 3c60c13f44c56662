/** `0.93` */
export function formatShare(share: number): string {
  return share.toFixed(2);
}

/** `93 %`, and nothing where nothing is known. */
export function formatRate(rate: number | undefined): string {
  return rate === undefined ? "" : `${Math.round(rate * 100)} %`;
}

/** `2026-01-31 12:00`, in UTC. */
export function formatTime(time: Date | undefined): string {
  return time === undefined ? "" : time.toISOString().slice(0, 16).replace("T", " ");
}

/** `12 ms`, `3.4 s`. */
export function formatDuration(durationMs: number | undefined): string {
  if (durationMs === undefined) return "";
  return durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `41 MB` */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
