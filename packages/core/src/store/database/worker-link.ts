import { Worker } from "node:worker_threads";

import { invalidInput, PmlError } from "../../model/error.js";
import type { Row } from "./database.js";
import { databaseError } from "./sql-error.js";
import type { WorkerOptions, WorkerReply, WorkerRequest } from "./wire.js";

type Unsent<T> = T extends WorkerRequest ? Omit<T, "id"> : never;

interface Waiting {
  resolve: (rows: Row[]) => void;
  reject: (error: PmlError) => void;
}

/** The host's end of the thread that PGlite runs in. Keeps the process alive only while an answer is awaited. */
export class WorkerLink {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onNotification: (channel: string, payload: string) => void;
  #lastId = 0;
  #end: PmlError | undefined;

  constructor(options: WorkerOptions, onNotification: (channel: string, payload: string) => void) {
    this.#onNotification = onNotification;
    // Node's options of the host, such as a loader, are none of the worker's business.
    this.#worker = new Worker(new URL("./pglite-worker.js", import.meta.url), { workerData: options, execArgv: [] });
    this.#worker.on("message", (reply: WorkerReply) => this.#receive(reply));
    this.#worker.on("error", (error) => this.#die(error.message, error));
    this.#worker.on("exit", () => this.#die("its thread ended"));
  }

  /** Resolves when the database is open. */
  ready(): Promise<Row[]> {
    return this.#wait(0);
  }

  send(request: Unsent<WorkerRequest>): Promise<Row[]> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const id = ++this.#lastId;
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage({ ...request, id });
    } catch (error) {
      return Promise.reject(invalidInput(`A value is none that a database takes: ${(error as Error).message}`));
    }
    return this.#wait(id);
  }

  /** After this, every question is answered with `error`. */
  async terminate(error: PmlError): Promise<void> {
    this.#end ??= error;
    await this.#worker.terminate();
  }

  #wait(id: number): Promise<Row[]> {
    this.#worker.ref();
    return new Promise<Row[]>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #receive(reply: WorkerReply): void {
    if (reply.type === "notification") return this.#onNotification(reply.channel, reply.payload);
    const id = reply.type === "ready" ? 0 : (reply.id ?? 0);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (reply.type === "fault") waiting?.reject(databaseError(reply));
    else waiting?.resolve(reply.type === "answer" ? (reply.rows ?? []) : []);
  }

  #die(message: string, cause?: unknown): void {
    this.#end ??= new PmlError(
      "PML_DATABASE_CRASHED",
      `The embedded database stopped: ${message}. Close and open it again; what was acknowledged is on disk.`,
      { cause },
    );
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }
}
