import type { Client } from "pg";

export interface ListenerOptions {
  createClient: () => Client;
  channel: string;
  onMessage: (payload: string) => void;
  /** It listens again after it did not. */
  onGap: () => void;
}

/** Of pg's client, but not in its types. */
type Listening = Client & { ref?(): void; unref?(): void };

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** A connection of its own that listens. One that breaks is replaced, and what may have been said meanwhile is a gap. */
export class PostgresListener {
  readonly #options: ListenerOptions;
  #client: Listening | undefined;
  #stopped = false;

  private constructor(options: ListenerOptions) {
    this.#options = options;
  }

  static async start(options: ListenerOptions): Promise<PostgresListener> {
    const listener = new PostgresListener(options);
    await listener.#connect();
    return listener;
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    // Who waits for the end keeps the process until then.
    this.#client?.ref?.();
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const { createClient, channel, onMessage } = this.#options;
    const client: Listening = createClient();
    // What breaks it ends it too, and that is answered below.
    client.on("error", () => {});
    client.on("notification", ({ payload = "" }) => onMessage(payload));
    try {
      await client.connect();
      await client.query(`listen "${channel.replaceAll('"', '""')}"`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    if (this.#stopped) return void (await client.end());
    client.once("end", () => void this.#reconnect());
    // Like the pool's idle connections, listening alone does not keep a process from ending.
    client.unref?.();
    this.#client = client;
  }

  async #reconnect(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !this.#stopped; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref());
      if (this.#stopped) return;
      const connected = await this.#connect().then(
        () => true,
        () => false,
      );
      if (connected && !this.#stopped) return this.#options.onGap();
    }
  }
}
