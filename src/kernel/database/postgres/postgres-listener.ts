import type { Client } from 'pg';
import type { Clock } from '../../wait/clock.ts';
import type { Deadlines } from '../../wait/deadline.ts';
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

/** Milliseconds between heartbeats: a connection that died silently reports no error by itself. */
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
  const channels = createChannels();
  const closing = new AbortController();
  let isLost = false;
  let connection: Promise<Client> | undefined;

  /** Sends a statement. If it stays unanswered, destroys the connection, which fails the statement. */
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
    client.on('notification', ({ channel, payload }) => channels.wake(channel, payload));
    try {
      await client.connect();
      for (const channel of channels.names()) await listenOn(client, channel);
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
    void keepAsking(clock, () => ask(client, 'SELECT 1'), ended.signal);
    return client;
  };

  const reconnect = async (): Promise<Client> => {
    for (;;) {
      await clock.sleep(reconnectDelay, closing.signal);
      closing.signal.throwIfAborted();
      try {
        const client = await connect();
        for (const channel of channels.names()) channels.wake(channel);
        return client;
      } catch {
        // The server is still unreachable; callers learn that from their own queries.
      }
    }
  };

  return {
    isOwn: channels.isOwn,
    wake: channels.wake,
    async listen(channel, wake, listening) {
      connection ??= connect().catch((error) => {
        connection = undefined;
        throw error;
      });
      // While the connection is lost nobody need wait: reconnecting listens on every channel and wakes it.
      if (!isLost) await listenOn(await connection, channel);
      return channels.add(channel, wake, listening);
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

async function keepAsking(
  clock: Clock,
  ask: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(heartbeat, signal);
    if (signal.aborted) return;
    await ask().catch(() => {});
  }
}

/** The listeners of this process, by channel. The LISTEN stays when the last one of a channel has left. */
function createChannels() {
  const listeners = new Map<string, Set<Wake>>();
  const own = new Set<string>();
  return {
    names: () => listeners.keys(),
    isOwn: (channel: string) => own.has(channel),
    wake(channel: string, detail?: string): void {
      for (const wake of listeners.get(channel) ?? []) wake(detail);
    },
    add(channel: string, wake: Wake, { isOwn = false }: ListenOptions = {}): Unlisten {
      const wakes = listeners.get(channel) ?? new Set();
      listeners.set(channel, wakes.add(wake));
      if (isOwn) own.add(channel);
      return async () => void wakes.delete(wake);
    },
  };
}
