import { types } from "node:util";

import { limitFault } from "../faults.js";
import { describeError, shorten } from "../wire/describe-error.js";
import { type EncodedValue, encodeValue } from "../wire/encode-value.js";
import type { GuestEvent } from "../wire/messages.js";
import type { Session } from "./session.js";

const MAX_MESSAGE = 10_000;
const MAX_DATA_BYTES = 64 * 1024;
/** Of a record or a list that code hands over. */
const MAX_ENTRIES = 100;
const LEVELS = ["debug", "info", "warn", "error"];

/** What the code says while it runs: `console`, and `pml`. Sent at once, so that the last line before a hang is seen. */
export class Lines {
  readonly #session: Session;
  #count = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  createConsole(scope: number): object {
    const at = (level: string) => (parts: unknown[]) => this.log(scope, level, parts);
    const [debug, info, warn, error] = LEVELS.map(at) as [LogParts, LogParts, LogParts, LogParts];
    return Object.freeze({
      debug: (...parts: unknown[]) => debug(parts),
      trace: (...parts: unknown[]) => debug(parts),
      log: (...parts: unknown[]) => info(parts),
      info: (...parts: unknown[]) => info(parts),
      dir: (...parts: unknown[]) => info(parts),
      table: (...parts: unknown[]) => info(parts),
      warn: (...parts: unknown[]) => warn(parts),
      error: (...parts: unknown[]) => error(parts),
    });
  }

  createPml(scope: number): object {
    return Object.freeze({
      progress: (report: unknown) => this.#send(scope, readProgress(report)),
      hint: (hint: unknown) => this.#send(scope, readHint(hint)),
      log: (line: unknown, data: unknown) => {
        const given = readRecord(line);
        const { level, message } = given["message"] === undefined ? { level: "info", message: line } : given;
        this.#line(scope, {
          level: LEVELS.includes(level as string) ? (level as string) : "info",
          message: describePart(message),
          data: given["data"] ?? data,
        });
      },
    });
  }

  log(scope: number, level: string, parts: unknown[]): void {
    const objects = parts.filter((part) => typeof part === "object" && part !== null);
    const data = objects.length <= 1 ? objects[0] : objects;
    this.#line(scope, { level, message: parts.map(describePart).join(" "), data });
  }

  #line(scope: number, line: { level: string; message: string; data: unknown }): void {
    const message = shorten(line.message, MAX_MESSAGE);
    const encoding = line.data === undefined ? undefined : encodeValue(line.data, MAX_DATA_BYTES);
    this.#send(scope, { type: "log", level: line.level, message }, encoding?.ok ? encoding.value : undefined);
  }

  #send(scope: number, event: GuestEvent, value?: EncodedValue): void {
    if (++this.#count > this.#session.limits.maxLogLines)
      return this.#session.stop(limitFault("maxLogLines", this.#session.limits));
    this.#session.sendNow({ type: "event", scope, at: this.#session.now(), event }, value);
  }
}

type LogParts = (parts: unknown[]) => void;

function describePart(part: unknown): string {
  if (typeof part === "string") return part;
  if (typeof part === "symbol" || typeof part === "function") return `[${typeof part}]`;
  if (typeof part !== "object" || part === null) return String(part);
  if (types.isNativeError(part)) return Object.values(describeError(part)).join(": ");
  const encoding = encodeValue(part, MAX_DATA_BYTES);
  return encoding.ok ? encoding.value.text : "[object]";
}

function readProgress(report: unknown): GuestEvent {
  const { message, ...given } = readRecord(report);
  const numbers = ["done", "total", "percent"].filter((name) => Number.isFinite(given[name]));
  const counts = Object.fromEntries(numbers.map((name) => [name, given[name]]));
  return { type: "progress", message: readText(message ?? report), ...counts };
}

function readHint(hint: unknown): GuestEvent {
  const { name, description, toolsUsed } = readRecord(hint);
  const tools = Object.values(readRecord(toolsUsed)).map(readText);
  return { type: "capability_hint", name: readText(name), description: readText(description), toolsUsed: tools };
}

function readText(value: unknown): string {
  return typeof value === "string" ? shorten(value, MAX_MESSAGE) : "";
}

/** A copy of what is data in it, so that nothing of the code's runs while it is read. */
function readRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || types.isProxy(value)) return {};
  const names = Object.keys(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(names.map((name) => [name, Object.getOwnPropertyDescriptor(value, name)?.value]));
}
