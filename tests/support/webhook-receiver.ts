import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Received = {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An endpoint on loopback that records its requests and answers as `respond` says. */
export type WebhookReceiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when this many requests have come. */
  got(count: number): Promise<void>;
};

type Respond = (request: Received, index: number) => Answer | Promise<Answer>;

export async function startWebhookReceiver(
  respond: Respond = () => ({ status: 204 }),
  options: {
    /** Whether it accepts the webhook handshake, which `received` then leaves out. If not, it is a request like any other. */
    readonly agrees?: boolean;
  } = {},
): Promise<WebhookReceiver> {
  const { agrees = true } = options;
  const received: Received[] = [];
  const watchers = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      path: request.url ?? '',
      method: request.method ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    const asking = request.headers['webhook-request-origin'];
    if (agrees && request.method === 'OPTIONS' && asking !== undefined) {
      response.writeHead(200, { 'webhook-allowed-origin': asking }).end();
      return;
    }
    received.push(one);
    const answer = await respond(one, received.length - 1);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
    for (const watch of watchers) watch();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a TCP server has an address of this form

  return {
    url: `http://127.0.0.1:${port}`,
    received,
    got: (count) =>
      new Promise((resolve) => {
        const watch = () => {
          if (received.length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
}
