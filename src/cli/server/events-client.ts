import { z } from 'zod';
import { plainText } from '../plain-text.ts';
import { notATradewind, readAnswer } from './server-client.ts';
import { explainFailedRequest, ServerError } from './server-error.ts';

/** Asks the events interface of a running server, as any other client would. */
export type EventsClient = {
  /**
   * The JSON of the answer, whose type is that of the declared operation: `EventsAnswers` or
   * `ManagementAnswers`. Checks the fields that `shape` names. Throws {@link ServerError} with the status of the
   * refusal.
   */
  request<Answer extends object = object>(
    verb: string,
    path: string,
    shape: Shape<Answer>,
    options?: EventsRequest,
  ): Promise<Answer>;
  /** The events of a stream as they come, until the connection ends or the signal fires. */
  listen(
    path: string,
    options: { lastEventId: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<ServerSentEvent>;
};

/** The fields of an answer that the caller reads. All others may have any form: servers of other versions differ. */
export type Shape<Answer> = { readonly [Field in keyof Answer]?: z.ZodType };

export type EventsRequest = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
};

/**
 * A client for the interface at this URL; `fetch` adds the credentials. Besides the refusals of the
 * server it throws `SERVER_UNREACHABLE` if nobody answers and `NOT_A_TRADEWIND` for any other answer.
 * Does not check the URL.
 */
export function createEventsClient(url: string, fetch: typeof globalThis.fetch): EventsClient {
  const { origin } = new URL(url);

  async function ask(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(new URL(path, url).href, init).catch((cause) => {
      throw init.signal?.aborted ? cause : explainFailedRequest(origin, cause);
    });
    if (response.ok) return response;
    throw await refusalOf(response, path);
  }

  return {
    async request<Answer extends object>(
      verb: string,
      path: string,
      shape: Shape<Answer>,
      given: EventsRequest = {},
    ) {
      const { query = {}, body, contentType = 'application/json', signal } = given;
      const search = new URLSearchParams(query);
      const response = await ask(`${path}${search.size > 0 ? `?${search}` : ''}`, {
        method: verb,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': contentType } }),
        ...(signal === undefined ? {} : { signal }),
      });
      const answer = await readAnswer(response, { origin });
      // The fields that nobody reads are not checked: a Tradewind server answers as its operations declare.
      if (z.looseObject(shape).safeParse(answer).success) return answer as Answer;
      throw toServerError(answer, { status: response.status, path });
    },
    async *listen(path, { lastEventId, signal }) {
      const headers = {
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': toHeader(lastEventId) }),
      };
      const response = await ask(path, { headers, signal });
      const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
      if (!isStream) throw await refusalOf(response, path);
      if (response.body !== null) yield* readServerSentEvents(response.body);
    },
  };

  async function refusalOf(response: Response, asked: string): Promise<ServerError> {
    const [path = ''] = asked.split('?');
    return toServerError(await readAnswer(response, { origin }), { status: response.status, path });
  }

  /** Merges the details of a refusal, since each kind has fields of its own. */
  function toServerError(
    body: unknown,
    asked: { readonly status: number; readonly path: string },
  ): ServerError {
    const { error } = (body ?? {}) as { error?: Refusal }; // checked below
    if (typeof error?.message === 'string') {
      const details = Array.isArray(error.details) ? [...error.details] : [];
      // A starting server refuses in the format of its edge, which has no `status` and a name as `code`.
      return new ServerError(String(error.status ?? error.code), plainText(error.message), {
        ...(details.length > 0 ? { details: Object.assign({}, ...details) } : {}),
      });
    }
    return notATradewind(origin, asked);
  }
}

/** A header is bytes, so an id is sent back as its UTF-8 bytes (WHATWG HTML, section 9.2.4). */
function toHeader(id: string): string {
  return Buffer.from(id).toString('latin1');
}

type Refusal = { status?: unknown; code?: unknown; message?: unknown; details?: unknown };

type ServerSentEvent = { readonly id: string; readonly data: string };

/**
 * Reads server-sent events (WHATWG HTML, section 9.2) in time linear in their length. Skips comments, other fields,
 * and ids that no header could carry back to the server. Does not bound the size of an event.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let data: string[] = [];
  for await (const lines of readLines(body)) {
    for (const line of lines) {
      if (line === '' && data.length > 0) yield { id, data: data.join('\n') };
      if (line === '') data = [];
      const [name, value] = splitField(line);
      if (name === 'data') data.push(value);
      if (name === 'id' && !/\p{Cc}/u.test(value)) id = value;
    }
  }
}

function splitField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

/**
 * The lines that each part of the body completes. A line ends with a line feed, a carriage return or both, and the
 * two may arrive in different parts.
 */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let hasReturn = false;
  for await (const part of body) {
    const decoded = decoder.decode(part, { stream: true });
    const text = hasReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    if (decoded !== '') hasReturn = decoded.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = `${begun.join('')}${lines[0]}`;
      begun = [];
    }
    begun.push(rest);
    yield lines;
  }
}
