import type { CommandInput } from './command.ts';
import { fetchWithCredentials } from './fetch-with-credentials.ts';
import { readServerSentEvents, type ServerSentEvent } from './read-server-sent-events.ts';
import { plainText } from './render/plain-text.ts';
import { ServerError } from './server-error.ts';
import { serverUrlOf } from './server-option.ts';

/** Asks the events interface of a running server, as any other client would. */
export type EventsClient = {
  /** The JSON of the answer. Throws {@link ServerError} with the status of the refusal. */
  request(verb: string, path: string, options?: EventsRequest): Promise<unknown>;
  /** The events of a stream as they come, until the connection ends or the signal fires. */
  listen(
    path: string,
    options: { lastEventId: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<ServerSentEvent>;
};

export type EventsRequest = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
};

/**
 * Opens the interface with the credentials of the environment, as `TRADEWIND_TOKEN`, and otherwise by
 * signing in as `tradewind login` does. The token is for the whole origin, so that one sign-in serves
 * every path that a command asks; `scope` is all that the command will need there.
 */
export async function openEventsClient(input: CommandInput, scope: string): Promise<EventsClient> {
  const url = serverUrlOf(input);
  const { origin } = new URL(url);
  const fetch = await openFetch(origin, input, scope);

  async function ask(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(new URL(path, url).href, init).catch((cause) => {
      if (init.signal?.aborted) throw cause;
      throw new ServerError(
        'SERVER_UNREACHABLE',
        `No server answers at ${origin}: start one with tradewind serve, or name another with --server.`,
        { cause },
      );
    });
    if (response.ok) return response;
    throw toServerError(response.status, await response.json().catch(() => undefined));
  }

  return {
    async request(verb, path, { query = {}, body, contentType = 'application/json' } = {}) {
      const search = new URLSearchParams(query);
      const response = await ask(`${path}${search.size > 0 ? `?${search}` : ''}`, {
        method: verb,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': contentType } }),
      });
      return response.json();
    },
    async *listen(path, { lastEventId, signal }) {
      const headers = {
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      };
      const { body } = await ask(path, { headers, signal });
      if (body !== null) yield* readServerSentEvents(body);
    },
  };
}

async function openFetch(serverUrl: string, input: CommandInput, scope: string) {
  const { fetch, hasCredentials } = await fetchWithCredentials(
    serverUrl,
    input.terminal.environment,
  );
  if (hasCredentials) return fetch;
  const { createAuthorizedFetch } = await import('../authorization/client/index.ts');
  const { clientOptions } = await import('./context-server.ts');
  const options = clientOptions(serverUrl, input);
  return createAuthorizedFetch({ ...options, scope: options.scope ?? scope });
}

type Refusal = { status?: unknown; message?: unknown; details?: unknown };

/** The details of a refusal are joined: each kind has fields of its own. */
function toServerError(status: number, body: unknown): ServerError {
  const { error } = (body ?? {}) as { error?: Refusal }; // looked at below
  if (typeof error?.message === 'string') {
    const details = Array.isArray(error.details) ? Object.assign({}, ...error.details) : {};
    return new ServerError(String(error.status), plainText(error.message), { details });
  }
  return new ServerError(
    'NOT_A_TRADEWIND',
    `The server answers ${status}, but not as the events interface does: name a Tradewind server with --server.`,
  );
}
