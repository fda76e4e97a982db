import { describe, expect, it } from 'vitest';
import { eventsLimits } from '../../src/events/limits.ts';
import { edgeLimits } from '../../src/kernel/edge/limits.ts';
import { swapLimits } from '../../src/swap/limits.ts';
import { openCredentials } from '../fuzz/open-credentials.ts';
import { useServer } from '../support/run-tradewind.ts';

const server = useServer({ environment: { TRADEWIND_CHAINS: '31337' } });

type Sent = { readonly path: string; readonly init?: RequestInit };

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Sent => ({
  path,
  init: {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  },
});

const event = (more: object) => ({
  specversion: '1.0',
  id: 'a',
  source: '//shop',
  type: 'google.workspace.drive.file.v3.created',
  subject: '//drive.googleapis.com/files/f1',
  data: {},
  ...more,
});
const publish = (more: object) =>
  post('/v1/events', event(more), { 'content-type': 'application/cloudevents+json' });
const create = (more: object) =>
  post('/v1/subscriptions?validateOnly=true', {
    targetResource: '//drive.googleapis.com/files/f1',
    eventTypes: ['google.workspace.drive.file.v3.created'],
    notificationEndpoint: { webhook: { uri: 'http://127.0.0.1:9/' } },
    ...more,
  });
const webhook = (uri: string) => create({ notificationEndpoint: { webhook: { uri } } });
/** Each limit with a way to make a request of a given size. Only a request beyond the limit gets the status. */
const bounds: [name: string, limit: number, status: number, of: (size: number) => Sent][] = [
  [
    'headers',
    edgeLimits.headers.value,
    431,
    (size) => ({ path: '/health', init: { headers: { 'x-a': 'a'.repeat(size) } } }),
  ],
  ['body', edgeLimits.body.value, 413, (size) => post('/register', 'a'.repeat(size))],
  [
    'slippageText',
    swapLimits.slippageText.value,
    400,
    (size) => ({ path: `/v1/swap/31337?maxSlippage=0.${'0'.repeat(size - 2)}` }),
  ],
  ['attribute', eventsLimits.attribute.value, 400, (size) => publish({ id: 'a'.repeat(size) })],
  ['event', eventsLimits.event.value, 400, (size) => publish({ data: { text: 'a'.repeat(size) } })],
  [
    'eventTypes',
    eventsLimits.eventTypes.value,
    400,
    (size) => create({ eventTypes: Array.from({ length: size }, (_, index) => `t${index}`) }),
  ],
  [
    'targetResource',
    eventsLimits.targetResource.value,
    400,
    (size) => create({ targetResource: `//drive.googleapis.com/files/${'a'.repeat(size)}` }),
  ],
  [
    'webhookUri',
    eventsLimits.webhookUri.value,
    400,
    (size) => webhook(`http://127.0.0.1:9/${'a'.repeat(size)}`),
  ],
];

let tokens: readonly string[] | undefined;
async function openTokens() {
  tokens ??= await openCredentials(new URL(server.url));
  return tokens;
}

describe('a real server', () => {
  it.each(bounds)(
    'refuses what is beyond %s, and says which rule was broken',
    async (name, limit, status, of) => {
      const [token] = (await openTokens()).slice(-1);
      const send = async ({ path, init = {} }: Sent) => {
        const headers = { authorization: `Bearer ${token}`, ...(init.headers as object) };
        const response = await fetch(new URL(path, server.url), { ...init, headers });
        return { status: response.status, text: await response.text() };
      };
      const beyond = await send(of(limit + 1));
      expect([name, beyond.status]).toEqual([name, status]);
      const within = await send(of(Math.floor(limit / 2)));
      expect([name, within.text]).not.toEqual([name, beyond.text]);
      expect(within.status).not.toBe(413);
    },
  );
});
