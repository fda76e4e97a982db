import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type PostgresProxy = {
  /** The URL of the database by way of this proxy. */
  readonly url: string;
  /** Resolves when the first client has connected. */
  readonly connected: Promise<void>;
  /** From now on no data passes and no connection ends: a database that hangs. */
  freeze(): void;
  /** The connections that are open now hang: no data passes, and they do not end. Later ones work. */
  freezeOpen(): void;
  /** New connections work again; those that were open while it was frozen stay dead. */
  thaw(): void;
  /** Resolves when a client has sent this text. The text reaches the server, but the answer does not come back. */
  swallowAnswerTo(text: string): Promise<void>;
  close(): void;
};

/** A proxy between a server under test and PostgreSQL. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const connected = Promise.withResolvers<void>();
  let isFrozen = false;
  const dead = new Set<Socket>();
  let awaited: { readonly text: string; tell(): void } | undefined;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({
      host: target.hostname,
      port: Number(target.port),
      allowHalfOpen: true,
    });
    client.on('data', (chunk) => {
      if (!awaited || !chunk.includes(awaited.text)) return;
      dead.add(upstream);
      awaited.tell();
      awaited = undefined;
    });
    pass(client, upstream);
    pass(upstream, client);
    connected.resolve();
  });
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    const isSwallowed = () => {
      if (isFrozen) dead.add(from);
      return dead.has(from);
    };
    from.on('error', () => {});
    from.on('data', (chunk) => isSwallowed() || to.write(chunk));
    from.on('end', () => isSwallowed() || to.end());
  };
  const freezeOpen = () => {
    for (const socket of sockets) dead.add(socket);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  // A listening TCP server has an address of this form.
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    connected: connected.promise,
    freeze() {
      isFrozen = true;
    },
    freezeOpen,
    thaw() {
      freezeOpen();
      isFrozen = false;
    },
    swallowAnswerTo: (text) =>
      new Promise((tell) => {
        awaited = { text, tell };
      }),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
