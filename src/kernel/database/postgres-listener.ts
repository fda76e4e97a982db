import type { Client } from 'pg';
import type { Clock } from '../clock.ts';
import type { Unlisten, Wake } from './database.ts';

/** The one connection that hears the notifications of all channels. */
export type PostgresListener = {
  listen(channel: string, wake: Wake): Promise<Unlisten>;
  close(): Promise<void>;
};

/** Short, because work waits for these notifications; not so short that a dead server is hammered. */
const reconnectDelay = 250;

/**
 * Listens over a connection of its own, opened with the first listener. When the connection is lost
 * it opens another, listens again and wakes everyone once.
 */
export function createPostgresListener(createClient: () => Client, clock: Clock): PostgresListener {
  const listeners = new Map<string, Set<Wake>>();
  const closing = new AbortController();
  let connection: Promise<Client> | undefined;

  const connect = async (): Promise<Client> => {
    const client = createClient();
    // The loss is handled by 'end', which follows every error.
    client.on('error', () => {});
    client.on('notification', ({ channel, payload }) => wakeAll(channel, payload));
    try {
      await client.connect();
      for (const channel of listeners.keys()) await listenOn(client, channel);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    client.once('end', () => {
      if (!closing.signal.aborted) connection = reconnect();
    });
    return client;
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
    async listen(channel, wake) {
      connection ??= connect().catch((error) => {
        connection = undefined;
        throw error;
      });
      await listenOn(await connection, channel);
      const wakes = listeners.get(channel) ?? new Set();
      listeners.set(channel, wakes.add(wake));
      return async () => void wakes.delete(wake);
    },
    async close() {
      closing.abort();
      await connection?.then((client) => client.end()).catch(() => {});
    },
  };
}

function listenOn(client: Client, channel: string): Promise<unknown> {
  return client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
}
