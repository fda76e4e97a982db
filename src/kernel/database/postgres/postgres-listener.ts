import type { Client } from 'pg';
import type { Clock } from '../../clock.ts';
import type { Deadlines } from '../../deadlines.ts';
import type { ListenOptions, Unlisten, Wake } from '../database.ts';
import { cut, endPatience } from './postgres-pool.ts';

/** The one connection that hears the notifications of all channels. */
export type PostgresListener = {
  listen(channel: string, wake: Wake, options?: ListenOptions): Promise<Unlisten>;
  /** Whether only this process listens on the channel. */
  isOwn(channel: string): boolean;
  /** Wakes the listeners of a channel in this process. */
  wake(channel: string, detail?: string): void;
  close(): Promise<void>;
};

/** Short, because work waits for these notifications; not so short that a dead server is hammered. */
const reconnectDelay = 250;

/** Nothing is heard over a connection that died without a word, so it is asked this often whether it lives. */
const heartbeat = 4_000;

export type PostgresListenerOptions = {
  readonly createClient: () => Client;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** Milliseconds within which the server answers; a connection that is silent for longer is given up. */
  readonly patienceMs: number;
};

/**
 * Listens over a connection of its own, opened with the first listener. When the connection is lost, or
 * a heartbeat stays unanswered, it opens another, listens again and wakes everyone once.
 */
export function createPostgresListener(options: PostgresListenerOptions): PostgresListener {
  const { createClient, clock, deadlines, patienceMs } = options;
  const listeners = new Map<string, Set<Wake>>();
  const own = new Set<string>();
  const closing = new AbortController();
  let isLost = false;
  let connection: Promise<Client> | undefined;

  /** Destroys a connection that leaves this unanswered, which then fails. */
  const ask = async (client: Client, text: string): Promise<void> => {
    const deadline = deadlines.add(patienceMs, () => cut(client));
    await client.query(text).finally(() => deadlines.delete(deadline));
  };
  const listenOn = (client: Client, channel: string) =>
    ask(client, `LISTEN ${client.escapeIdentifier(channel)}`);

  const connect = async (): Promise<Client> => {
    const client = createClient();
    const ended = new AbortController();
    // The loss is handled by 'end', which follows every error.
    client.on('error', () => {});
    client.on('notification', ({ channel, payload }) => wakeAll(channel, payload));
    try {
      await client.connect();
      for (const channel of listeners.keys()) await listenOn(client, channel);
    } catch (error) {
      cut(client);
      throw error;
    }
    client.once('end', () => {
      ended.abort();
      if (closing.signal.aborted) return;
      isLost = true;
      connection = reconnect();
    });
    isLost = false;
    void keepAsking(client, ended.signal);
    return client;
  };

  const keepAsking = async (client: Client, signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(heartbeat, signal);
      if (signal.aborted) return;
      await ask(client, 'SELECT 1').catch(() => {});
    }
  };

  const reconnect = async (): Promise<Client> => {
    for (;;) {
      await clock.sleep(reconnectDelay, closing.signal);
      closing.signal.throwIfAborted();
      try {
        const client = await connect();
        for (const channel of listeners.keys()) wakeAll(channel);
        return client;
      } catch {
        // The server is still away; whoever needs an answer learns it from their own query.
      }
    }
  };

  const wakeAll = (channel: string, detail?: string) => {
    for (const wake of listeners.get(channel) ?? []) wake(detail);
  };

  return {
    isOwn: (channel) => own.has(channel),
    wake: wakeAll,
    async listen(channel, wake, { isOwn = false } = {}) {
      connection ??= connect().catch((error) => {
        connection = undefined;
        throw error;
      });
      const wakes = listeners.get(channel) ?? new Set();
      // While it is lost nobody need wait: every channel is listened on, and woken, when it is back.
      if (!isLost) await listenOn(await connection, channel);
      listeners.set(channel, wakes.add(wake));
      if (isOwn) own.add(channel);
      return async () => void wakes.delete(wake);
    },
    async close() {
      closing.abort();
      const client = await connection?.catch(() => undefined);
      if (client === undefined) return;
      const deadline = deadlines.add(endPatience, () => cut(client));
      await client.end().finally(() => deadlines.delete(deadline));
    },
  };
}
