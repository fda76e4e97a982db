import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { issueToken } from '../../tests/support/issue-token.ts';
import { askQuote } from '../quotes/measure-server.ts';
import { trades } from '../routing/mainnet-like-pools.ts';

/** Does `count` operations, each at the next process, and resolves when all are finished. */
export type Load = (count: number) => Promise<void>;

const type = 'google.workspace.drive.file.v3.created';
/** Keeps a connection to each process for each caller. */
const dispatcher = new Agent({ keepAliveTimeout: 60_000, connections: 32 });
/**
 * For each process, because an operator adds processes for more load. With one request at a time, each request would cost a
 * process a whole turn of its event loop.
 */
const callers = 4;

/** A receiver of webhooks that counts them. */
export async function openSink() {
  let received = 0;
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      received++;
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has such an address.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, received: () => received, close: () => server.close() };
}

/** Events at a steady rate, one a request, for `receivers` webhooks in turn. A run is finished when all have arrived. */
export async function openDeliveries(
  urls: readonly string[],
  options: {
    readonly sink: Awaited<ReturnType<typeof openSink>>;
    readonly receivers: number;
    readonly perSecond: number;
  },
): Promise<{ run: Load; repeated(): number }> {
  const { sink, receivers, perSecond } = options;
  const [first = ''] = urls;
  const scope = 'subscriptions.read subscriptions.write events.publish';
  const token = await issueToken(first, scope);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (url: string, body: object) =>
    request(url, { method: 'POST', headers, body: JSON.stringify(body), dispatcher });
  const targets = Array.from({ length: receivers }, (_, n) => `//drive.googleapis.com/files/f${n}`);
  for (const targetResource of targets) {
    const webhook = { uri: `${sink.origin}/hook` };
    const made = await post(`${first}/v1/subscriptions`, {
      targetResource,
      eventTypes: [type],
      notificationEndpoint: { webhook },
    });
    const operation = (await made.body.json()) as { done?: boolean };
    if (!operation.done) throw new Error(JSON.stringify(operation));
  }
  let [serial, repeated] = [0, 0];
  const publish = async (n: number): Promise<void> => {
    const subject = targets[n % receivers] ?? '';
    // All targets at one process, then all at the next, so that each process gets each target.
    const url = urls[Math.floor(n / receivers) % urls.length];
    const data = { file: { name: subject.slice(subject.indexOf('files/')) } };
    const event = { specversion: '1.0', id: `e${n}`, source: '//bench', type, subject, data };
    for (;;) {
      const { statusCode, body } = await post(`${url}/v1/events`, event);
      const text = await body.text();
      if (statusCode < 300) return;
      // Publishers are told to repeat after a 503: either nothing was stored, or the id makes the event a duplicate.
      if (statusCode !== 503) throw new Error(text);
      repeated++;
      await delay(1_000);
    }
  };
  return {
    repeated: () => repeated,
    async run(count) {
      const awaited = sink.received() + count;
      const startedAt = performance.now();
      const under: Promise<void>[] = [];
      for (let n = 0; n < count; n++) {
        await delay(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
        under.push(publish(serial++));
      }
      await Promise.all(under);
      while (sink.received() < awaited) await delay(20);
    },
  };
}

/** Tokens by the client credentials grant. */
export async function openTokens(urls: readonly string[]): Promise<Load> {
  const registered = await request(`${urls[0]}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  const { client_id, client_secret } = (await registered.body.json()) as Record<string, string>;
  const form = { grant_type: 'client_credentials', scope: 'swap.read' };
  const body = new URLSearchParams({ ...form, client_id, client_secret } as Record<string, string>);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return inTurn(urls, async (url) => {
    const options = { method: 'POST', headers, body: body.toString(), dispatcher } as const;
    const answer = await request(`${url}/token`, options);
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  });
}

/** Quotes of the routing benchmark's trades, each with a new amount. */
export function openQuotes(urls: readonly string[]): Load {
  return inTurn(urls, async (url, n) => {
    const trade = trades[Math.floor(n / urls.length) % trades.length];
    if (trade !== undefined) await askQuote(url, trade, n);
  });
}

function inTurn(
  urls: readonly string[],
  ask: (url: string, serial: number) => Promise<void>,
): Load {
  let serial = 0;
  return async (count) => {
    const last = serial + count;
    const call = async () => {
      while (serial < last) {
        const n = serial++;
        await ask(urls[n % urls.length] ?? '', n);
      }
    };
    await Promise.all(Array.from({ length: callers * urls.length }, call));
  };
}
