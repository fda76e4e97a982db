import { longestRequestUrl, parseUrl } from '../../kernel/text/url.ts';
import { type Clock, systemClock } from '../../kernel/wait/clock.ts';
import { orLate } from '../../kernel/wait/deadline.ts';
import { ServerError } from './server-error.ts';

const mebibyte = 2 ** 20;
/** Far more than any honest answer: the longest ones list tokens, or hold an image that a tool returned. */
const mostBytes = 64 * mebibyte;
const mostSeconds = 60;

/** Who answers, and whether the answer is an event stream, which may last for any time. */
type BodySource = {
  readonly origin: string;
  readonly isEventStream: boolean;
  readonly clock: Clock;
};

/**
 * The body of an answer, which fails with a {@link ServerError} when it is larger or slower than any honest one (N9):
 * `ANSWER_TOO_LARGE` or `ANSWER_TOO_SLOW`. In an event stream only the size of each event is bounded.
 */
function boundBody(
  body: ReadableStream<Uint8Array>,
  { origin, isEventStream, clock }: BodySource,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const end = clock.elapsed() + mostSeconds * 1_000;
  const count = isEventStream ? countSinceEvent() : countAll();

  async function readPart() {
    if (isEventStream) return reader.read();
    const milliseconds = Math.max(0, end - clock.elapsed());
    return orLate(reader.read(), { clock, milliseconds, late: () => Promise.reject(slow(origin)) });
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await readPart();
          if (done) return controller.close();
          if (count(value) > mostBytes) throw large(origin);
          controller.enqueue(new Uint8Array(value));
        } catch (error) {
          void reader.cancel(error).catch(() => {}); // the connection is over either way
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function countAll(): (part: Uint8Array) => number {
  let bytes = 0;
  return (part) => {
    bytes += part.length;
    return bytes;
  };
}

/** Counts the bytes since the last blank line, which ends an event. Two parts may share that blank line. */
function countSinceEvent(): (part: Uint8Array) => number {
  let bytes = 0;
  let before: Uint8Array = new Uint8Array();
  return (part) => {
    const text = Buffer.concat([before, part]);
    const end = Math.max(...['\n\n', '\r\r', '\n\r\n'].map((blank) => text.lastIndexOf(blank)));
    bytes = end < 0 ? bytes + part.length : text.length - end;
    before = text.subarray(-2);
    return bytes;
  };
}

function large(origin: string): ServerError {
  return new ServerError(
    'ANSWER_TOO_LARGE',
    `${origin} answers with more than ${mostBytes / mebibyte} MiB, and the rest was not read: check that it is the server you mean, or name another one with --server.`,
  );
}

function slow(origin: string): ServerError {
  return new ServerError(
    'ANSWER_TOO_SLOW',
    `${origin} has not finished its answer within ${mostSeconds} seconds: try again, or name another server with --server.`,
  );
}

type Fetch = typeof globalThis.fetch;

const mostRedirects = 5;

/** The `fetch` with which commands call servers. */
export const boundedFetch: Fetch = createBoundedFetch();

/**
 * A `fetch` for servers that may be hostile or broken. {@link boundBody} bounds their answers. It follows redirects
 * only to the same origin. To another origin it sends nothing, neither a token nor a body, since the person did not
 * name it: it throws {@link ServerError} with `SENT_ELSEWHERE`, which says how to name it.
 */
export function createBoundedFetch(
  options: { readonly send?: Fetch; readonly clock?: Clock } = {},
): Fetch {
  const { send = (...given) => fetch(...given), clock = systemClock } = options;
  return async (input, init) => {
    const request = new Request(input, init);
    // The request's own signal only follows the caller's, and is lost when the request is garbage collected.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const mayFollow = request.redirect === 'follow';
    const beside = { ...(signal && { signal }), redirect: mayFollow ? 'manual' : request.redirect };
    let next: Sent = {
      url: new URL(request.url),
      method: request.method,
      headers: new Headers(request.headers),
      ...(request.body === null ? {} : { body: await request.arrayBuffer() }),
    };
    for (let redirects = 0; ; redirects++) {
      const { url, ...sent } = next;
      const response = await send(url, { ...sent, ...beside });
      const target = mayFollow ? targetOf(response, url) : undefined;
      if (target === undefined) return bound(response, url.origin, clock);
      await response.body?.cancel();
      if (target.origin !== url.origin) throw sentElsewhere(url, target);
      if (redirects === mostRedirects) throw tooManyRedirects(url);
      next = redirect(next, target, response.status);
    }
  };
}

type Sent = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: ArrayBuffer;
};

function bound(response: Response, origin: string, clock: Clock): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const isEventStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const bounded = boundBody(body, { origin, isEventStream, clock });
  return new Response(bounded, { status, statusText, headers });
}

/** Where a redirect leads; `undefined` if the answer is no redirect. */
function targetOf({ status, headers }: Response, asked: URL): URL | undefined {
  const location = headers.get('location');
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  return parseUrl(location, { base: asked, longest: longestRequestUrl });
}

/** The next request by the Fetch standard: some redirects turn a POST into a GET without a body. */
function redirect(sent: Sent, url: URL, status: number): Sent {
  const { method, headers } = sent;
  const isRead = method === 'GET' || method === 'HEAD';
  const turnsToRead = status === 303 || (method === 'POST' && (status === 301 || status === 302));
  if (isRead || !turnsToRead) return { ...sent, url };
  const left = new Headers(headers);
  for (const name of ['content-type', 'content-length', 'content-encoding']) left.delete(name);
  return { url, method: 'GET', headers: left };
}

function sentElsewhere({ origin }: URL, { protocol, host }: URL): ServerError {
  const other = `${protocol}//${host}`;
  return new ServerError(
    'SENT_ELSEWHERE',
    `${origin} redirects to ${other}, and nothing was sent there: if that is the server you mean, name it with --server ${other}.`,
  );
}

function tooManyRedirects({ origin }: URL): ServerError {
  return new ServerError(
    'INVALID_ANSWER',
    `${origin} redirects more than ${mostRedirects} times: check its address, or name another server with --server.`,
  );
}
