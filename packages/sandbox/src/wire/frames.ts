/**
 * Cuts a stream of text into lines. A line longer than `maxLength` is reported once and nothing after it is read, so
 * that what the other side sends never piles up here.
 */
export interface FrameReader {
  /** May be changed between frames. */
  maxLength: number;
  read(chunk: string): void;
}

export interface FrameListener {
  onFrame(frame: string): void;
  onOverflow(): void;
}

export function createFrameReader(listener: FrameListener, maxLength: number): FrameReader {
  let parts: string[] = [];
  let length = 0;
  let broken = false;
  const reader: FrameReader = { maxLength, read };
  return reader;

  function read(chunk: string): void {
    let start = 0;
    while (!broken) {
      const end = chunk.indexOf("\n", start);
      const part = chunk.slice(start, end === -1 ? undefined : end);
      length += part.length;
      if (length > reader.maxLength) return overflow();
      if (end === -1) return keep(part);
      const frame = parts.length === 0 ? part : parts.join("") + part;
      parts = [];
      length = 0;
      start = end + 1;
      listener.onFrame(frame);
    }
  }

  function keep(part: string): void {
    if (part !== "") parts.push(part);
  }

  function overflow(): void {
    broken = true;
    parts = [];
    listener.onOverflow();
  }
}
