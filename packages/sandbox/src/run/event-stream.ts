/** A queue with one reader: what is put before anyone reads is kept. */
export interface EventStream<T> extends AsyncIterable<T> {
  put(event: T): void;
  end(): void;
}

export function createEventStream<T>(): EventStream<T> {
  let events: T[] = [];
  let ended = false;
  let abandoned = false;
  let wake: (() => void) | undefined;
  return {
    put(event) {
      if (!ended && !abandoned) events.push(event);
      wake?.();
    },
    end() {
      ended = true;
      wake?.();
    },
    [Symbol.asyncIterator]: read,
  };

  async function* read(): AsyncGenerator<T, void, undefined> {
    try {
      while (true) {
        const batch = events;
        events = [];
        yield* batch;
        if (events.length > 0) continue;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      // Who stops reading wants no more: nothing is kept for them.
      abandoned = true;
      events = [];
    }
  }
}
