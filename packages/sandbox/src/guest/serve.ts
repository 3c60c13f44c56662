import process, { nextTick } from "node:process";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";

import { reviveValue } from "../wire/decode-value.js";
import { createFrameReader } from "../wire/frames.js";
import { type HostMessage, type RunMessage, writeMessage } from "../wire/messages.js";
import { createOutbox } from "../wire/outbox.js";
import { Compartments } from "./compartments.js";
import { GuestRun } from "./guest-run.js";
import { createPowers } from "./powers.js";
import { lockRealm } from "./realm.js";

/** After so long without a run there is time to prepare for the next ones. */
const REST_MS = 5;

/** The child's end of the channel. */
export interface Port {
  write(text: string): void;
  listen(onText: (text: string) => void): void;
}

/** Locks the realm and then runs what the host sends, one run at a time, for as long as the host wants. */
export function serve(port: Port): void {
  lockRealm();
  let current: GuestRun | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const outbox = createOutbox(port.write, (flush) => nextTick(flush));
  const powers = createPowers(() => {
    if (current === undefined) throw new TypeError("There is no run.");
    return current.binding;
  });
  const compartments = new Compartments(powers);
  awaitRest();
  // What nobody handles is the code's affair: it is logged, and does not end the child.
  for (const kind of ["unhandledRejection", "uncaughtException"])
    process.on(kind, (reason) => current?.reportUncaught(reason));
  const reader = createFrameReader({ onFrame: receive, onOverflow: () => process.exit(1) }, Number.POSITIVE_INFINITY);
  port.listen(reader.read);
  outbox.put(writeMessage({ type: "ready" }));

  function receive(frame: string): void {
    const message = JSON.parse(frame) as HostMessage & { tagged?: boolean; value?: unknown };
    const value = reviveValue(message.value, message.tagged === true);
    if (message.type === "run") return start(message, value);
    // An answer that comes too late is nobody's.
    if (message.run !== current?.run) return undefined;
    return current.settle(message.id, message.fault === undefined ? { value } : { value, fault: message.fault });
  }

  function start(message: RunMessage, context: unknown): void {
    clearTimeout(resting);
    resting = undefined;
    current = new GuestRun(message, { outbox, compartments, onRest: rest });
    void current.start(context);
  }

  function rest(): void {
    outbox.flush();
    awaitRest();
    // One there must be; the host is busy with the result for as long.
    setImmediate(() => compartments.isEmpty && compartments.prepare());
  }

  function awaitRest(): void {
    resting = setTimeout(restock, REST_MS);
  }

  /** One at a time, with room for a run to come in between. */
  function restock(): void {
    if (resting !== undefined && compartments.prepare()) setImmediate(restock);
  }
}
