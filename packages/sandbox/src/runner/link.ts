import { createFrameReader } from "../wire/frames.js";

/** A child and the channel to it. */
export interface Link {
  /** Settles when the child can take a run, or with why it cannot. */
  readonly ready: Promise<void>;
  /** Settles when the child is gone. */
  readonly gone: Promise<void>;
  /** Who hears of this child, one run at a time, and the longest line it may be sent. */
  listen(listener: LinkListener | undefined, maxFrameLength?: number): void;
  write(text: string): void;
  kill(): void;
  /** Whether the child keeps the host's process alive; at first it does not. */
  hold(): void;
  release(): void;
}

interface LinkListener {
  onFrame(frame: string): void;
  onExit(exit: LinkExit): void;
}

/** Why a child is gone when nobody asked it to go. */
export type LinkExit = { reason: "memory" } | { reason: "overflow" } | { reason: "crash"; detail: string };

/** Starts a child whose heap may grow to `memoryMb`. */
export type StartLink = (memoryMb: number) => Link;

/** What differs between a process and a thread. */
export type Child = Pick<Link, "write" | "kill" | "hold" | "release">;

export interface OpenLink {
  link: Link;
  /** Text from the child. */
  receive(text: string): void;
  end(exit: LinkExit): void;
}

/** Long enough for a message without a value. */
const IDLE_FRAME_LENGTH = 64 * 1024;
const READY = '{"type":"ready"}';

export function openLink(child: Child): OpenLink {
  const ready = createDeferred();
  const gone = createDeferred();
  let listener: LinkListener | undefined;
  const reader = createFrameReader({ onFrame, onOverflow }, IDLE_FRAME_LENGTH);
  return { link: { ...child, ready: ready.promise, gone: gone.promise, listen }, receive: reader.read, end };

  function listen(next: LinkListener | undefined, maxFrameLength: number = IDLE_FRAME_LENGTH): void {
    listener = next;
    reader.maxLength = maxFrameLength;
  }

  function onFrame(frame: string): void {
    if (frame === READY) ready.resolve();
    else if (listener !== undefined) listener.onFrame(frame);
    // Between runs an honest child has nothing to say.
    else child.kill();
  }

  function onOverflow(): void {
    notify({ reason: "overflow" });
    child.kill();
  }

  function end(exit: LinkExit): void {
    ready.reject(new Error(exit.reason === "crash" ? exit.detail : exit.reason));
    notify(exit);
    gone.resolve();
  }

  function notify(exit: LinkExit): void {
    const heard = listener;
    listener = undefined;
    heard?.onExit(exit);
  }
}

/** A start that does not throw: a child that cannot be started is one that is gone at once. */
export function startSafely(start: StartLink): StartLink {
  return (memoryMb) => {
    try {
      return start(memoryMb);
    } catch (error) {
      const { link, end } = openLink({ write() {}, kill() {}, hold() {}, release() {} });
      end({ reason: "crash", detail: (error as Error).message });
      return link;
    }
  };
}

interface Deferred {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

function createDeferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Whoever waits for it later still hears of a rejection.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
