import type { Answer } from '../../src/kernel/edge/answer.ts';
import type { RequestContext } from '../../src/kernel/edge/mount.ts';

/** What a handler gets, whichever server calls it. */
export type Given = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** What follows the question mark. */
  readonly query: string;
  readonly authorization: string | undefined;
  /** As text; empty where there is none. */
  readonly body: string;
  /** Fires when the caller hangs up. The servers that keep no rule have none. */
  readonly signal?: AbortSignal | undefined;
};

/** A route of the comparison, with the same work in every server. */
export type Route = {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** As operations write it. */
  readonly path: `/${string}`;
  /** Requests of one turn of the event loop are worked on together, and the work looks at the signal. */
  readonly isWork?: boolean;
} & (
  | { answer(given: Given, context?: RequestContext): Answer | Promise<Answer> }
  /** Pieces of an event stream. */
  | { readonly stream: () => AsyncIterable<string> }
);

const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
const answerJson = (value: object): Answer => ({
  status: 200,
  headers,
  body: JSON.stringify(value),
});

export const streamHeaders = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
const eventsOfStream = 5;

/** One event in each turn of the event loop. */
async function* streamEvents(): AsyncGenerator<string> {
  for (let index = 0; index < eventsOfStream; index++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield `id: ${index}\ndata: {"index":${index}}\n\n`;
  }
}

const measured: readonly Route[] = [
  {
    id: 'status',
    method: 'GET',
    path: '/status',
    answer: () => answerJson({ status: 'ok', version: '0.1.0', services: ['swap', 'events'] }),
  },
  {
    id: 'swap',
    method: 'GET',
    path: '/v1/swap/{chainId}',
    isWork: true,
    answer({ variables, query, signal }) {
      signal?.throwIfAborted();
      const given = { ...variables, ...Object.fromEntries(new URLSearchParams(query)) };
      return answerJson({ success: true, data: given });
    },
  },
  {
    id: 'token',
    method: 'POST',
    path: '/token',
    answer({ authorization = '', body }) {
      const form = new URLSearchParams(body);
      const [client] = Buffer.from(authorization.slice(6), 'base64').toString('latin1').split(':');
      return answerJson({
        access_token: 'c'.repeat(600),
        token_type: 'Bearer',
        expires_in: 600,
        scope: form.get('scope'),
        client,
      });
    },
  },
  {
    id: 'order',
    method: 'POST',
    path: '/v1/orders',
    answer: ({ body }) => answerJson(JSON.parse(body)),
  },
  { id: 'stream', method: 'GET', path: '/v1/stream', stream: streamEvents },
];

/** As many as a server of this size has beside the measured ones, a third of them with two variables. */
const others: readonly Route[] = Array.from({ length: 60 }, (_, index) => ({
  id: `other${index}`,
  method: index % 2 === 0 ? 'GET' : 'POST',
  path: index % 3 === 0 ? `/v1/things${index}/{id}/parts/{part}` : `/v1/things${index}/{id}`,
  answer: ({ variables }) => answerJson({ ...variables }),
}));

export const routes: readonly Route[] = [...others, ...measured];

/** `/v1/swap/{chainId}` as most routers write it: `/v1/swap/:chainId`. */
export const colonPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The body of a refusal of a path that nobody serves. */
export const notFoundBody = (path: string) =>
  JSON.stringify({
    success: false,
    error: { code: 'NOT_FOUND', message: `Nothing is served at ${path.slice(0, 255)}.` },
    timestamp: new Date().toISOString(),
  });
