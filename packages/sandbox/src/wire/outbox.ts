/** Collects frames, and writes those that are ready together as one. */
export interface Outbox {
  put(frame: string): void;
  flush(): void;
}

/** So many are worth a write at once: the other side reads them while this one makes more. */
const BATCH = 12;

/** `schedule` runs its argument once the work at hand is done; what is put until then leaves in one write. */
export function createOutbox(write: (text: string) => void, schedule: (flush: () => void) => void): Outbox {
  let frames: string[] = [];
  return { put, flush };

  function put(frame: string): void {
    frames.push(frame);
    if (frames.length === 1) schedule(flush);
    else if (frames.length === BATCH) flush();
  }

  function flush(): void {
    if (frames.length === 0) return;
    const text = `${frames.join("\n")}\n`;
    frames = [];
    write(text);
  }
}
