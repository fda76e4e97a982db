import { z } from 'zod';
import { version } from '../../../app/version.ts';
import type { ContextUseCases } from '../../../context/index.ts';
import { parseJson } from '../../../kernel/text/json.ts';
import { readServerSentEvents } from '../events-client.ts';
import { explainFailedRequest, ServerError } from '../server-error.ts';

type RemoteEvents = NonNullable<ContextUseCases['events']>;
type Step =
  Awaited<ReturnType<RemoteEvents['stream']>> extends AsyncIterable<infer One> ? One : never;

const revision = '2026-07-28';
const said = 'io.modelcontextprotocol';
const about = {
  [`${said}/protocolVersion`]: revision,
  [`${said}/clientInfo`]: { name: 'tradewind', version },
  [`${said}/clientCapabilities`]: {},
};

const refusal = z.object({
  error: z.object({ code: z.number(), message: z.string(), data: z.looseObject({}).optional() }),
});
const answer = z.object({ result: z.looseObject({}) });
const notification = z.object({
  method: z.templateLiteral([
    'notifications/events/',
    z.enum(['active', 'event', 'heartbeat', 'terminated']),
  ]),
  params: z.looseObject({ cursor: z.string().optional() }),
});

/** MCP Events of a running server, with the credentials of this process (M62). */
export function remoteEvents(url: string, fetch: typeof globalThis.fetch): RemoteEvents {
  const endpoint = new URL('/mcp', url);
  let calls = 0;

  async function send(method: string, params: object, signal: AbortSignal): Promise<Response> {
    calls += 1;
    const message = { jsonrpc: '2.0', id: calls, method, params: { ...params, _meta: about } };
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': revision,
      'mcp-method': method,
    };
    const body = JSON.stringify(message);
    return fetch(endpoint, { method: 'POST', headers, body, signal }).catch((error) => {
      throw signal.aborted ? error : explainFailedRequest(endpoint.origin, error);
    });
  }

  return {
    async ask(method, params, { signal }) {
      const response = await send(method, params, signal);
      const { _meta, ...result } = answer.parse(await readReply(response, endpoint)).result;
      return result;
    },
    async stream(params, { signal }) {
      const response = await send('events/stream', params, signal);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      const { body } = response;
      if (isStream && body !== null) return followSteps(body, endpoint);
      await readReply(response, endpoint);
      throw new ServerError('CONTEXT_SERVER_FAILED', `${endpoint.origin} opened no stream.`);
    },
    toError: (error) => (error instanceof ServerError ? errorIn(error) : undefined),
    scopesOf: async () => [],
  };
}

/** The JSON of a reply. Throws a `ServerError` that holds the JSON-RPC error of a refusal, or says that there is none. */
async function readReply(response: Response, { origin, pathname }: URL): Promise<unknown> {
  const text = await response.text();
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  const { data } = refusal.safeParse(json);
  if (data !== undefined)
    throw new ServerError('EVENTS_REFUSED', data.error.message, { details: data });
  if (response.ok && json !== undefined) return json;
  const message = `${origin}${pathname} answers ${response.status}, but not in the form of an MCP server.`;
  throw new ServerError('CONTEXT_SERVER_FAILED', message);
}

function errorIn({ details }: ServerError) {
  const error = refusal.safeParse(details).data?.error;
  return (
    error && { code: error.code, message: error.message, ...(error.data && { data: error.data }) }
  );
}

/** Ends without a last step where the connection ends: the caller then asks again with its cursor. */
async function* followSteps(body: ReadableStream<Uint8Array>, endpoint: URL): AsyncGenerator<Step> {
  for await (const { data } of readServerSentEvents(body)) {
    const json = parseJson(data);
    if (refusal.safeParse(json).success) await readReply(new Response(data), endpoint);
    const { data: told } = notification.safeParse(json);
    if (told !== undefined) yield toStep(told);
  }
}

function toStep({ method, params: { _meta, ...params } }: z.output<typeof notification>): Step {
  const kind = method.slice('notifications/events/'.length);
  if (kind !== 'event') return { kind, ...params } as unknown as Step; // as the server sent it
  const { cursor = '', ...occurrence } = params;
  return { kind, occurrence, cursor };
}
