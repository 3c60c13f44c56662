import type { Fault } from "../error.js";
import type { Limits } from "../limits.js";
import type { Outcomes } from "../outcomes.js";
import type { ClockReading } from "../recording.js";
import type { EncodedValue } from "./encode-value.js";

/** A capability as the child gets it. */
export interface UnitMessage {
  name: string;
  code: string;
  defaults?: Record<string, unknown>;
}

/** The start of a run. `value` is its context. */
export interface RunMessage {
  type: "run";
  run: number;
  code: string;
  capabilities: UnitMessage[];
  clock: boolean;
  random: boolean;
  randomSeed: string;
  replayClock: ClockReading[];
  outcomes?: Outcomes;
  limits: Limits;
  /** The host's clock, so that both sides stamp events alike. */
  hostNow: number;
}

/** The answer to a call: a value, or a fault the code may catch. */
type ReplyMessage = { type: "reply"; run: number; id: number; fault?: Fault };

export type HostMessage = RunMessage | ReplyMessage;

/** Where in the code something happened, if the code was instrumented. */
export interface Origin {
  nodeId?: string;
  iteration?: number[];
}

/** `value` is its arguments. */
export interface CallMessage extends Origin {
  type: "call";
  run: number;
  id: number;
  scope: number;
  tool: string;
  at: number;
  clock?: ClockReading[];
}

/** `value`, where there is one: arguments of a start, result of an end, data of a log line. */
export interface EventMessage extends Origin {
  type: "event";
  run: number;
  scope: number;
  at: number;
  event: GuestEvent;
}

export type GuestEvent =
  | { type: "decision"; outcome: string }
  | { type: "progress"; message: string; done?: number; total?: number; percent?: number }
  | { type: "log"; level: string; message: string }
  | { type: "capability_hint"; name: string; description: string; toolsUsed: string[] }
  | { type: "capability_start"; id: number; capability: string }
  | { type: "capability_end"; id: number; fault?: Fault }
  | { type: "operation_start"; id: number; operation: string }
  | { type: "operation_end"; id: number };

/** Clock readings, when there are many before the next message that could carry them. */
interface ClockMessage {
  type: "clock";
  run: number;
  clock: ClockReading[];
}

/**
 * The end of a run: `value` is what it returned, unless there is a `fault`. Sent when nothing of the run is left to do,
 * so the child can take the next one, unless it is `fatal`.
 */
interface DoneMessage {
  type: "done";
  run: number;
  clock?: ClockReading[];
  droppedEvents: number;
  fault?: Fault;
  /** The child ran out of something and must not be used again. */
  fatal?: boolean;
}

interface ReadyMessage {
  type: "ready";
}

export type GuestMessage = CallMessage | EventMessage | ClockMessage | DoneMessage | ReadyMessage;

/** A message as one line of text. The value is put in as it is: it is text already. */
export function writeMessage(message: HostMessage | GuestMessage, value?: EncodedValue): string {
  const text = JSON.stringify(message);
  return value === undefined ? text : `${text.slice(0, -1)}${writeValue(value)}`;
}

/** As `writeMessage` would, put together by hand: of these there are thousands a run. */
export function writeReply(run: number, id: number, value: EncodedValue): string {
  return `{"type":"reply","run":${run},"id":${id}${writeValue(value)}`;
}

/** As `writeMessage` would; what a call rarely has is added as JSON. */
export function writeCall(call: CallMessage, value: EncodedValue): string {
  const { run, id, scope, tool, at, nodeId, iteration, clock } = call;
  const start = `{"type":"call","run":${run},"id":${id},"scope":${scope},"tool":${JSON.stringify(tool)},"at":${at}`;
  if (nodeId === undefined && iteration === undefined && clock === undefined) return start + writeValue(value);
  const rest = JSON.stringify({ nodeId, iteration, clock });
  return `${start},${rest.slice(1, -1)}${writeValue(value)}`;
}

function writeValue({ tagged, text }: EncodedValue): string {
  return `,"tagged":${tagged},"value":${text}}`;
}
