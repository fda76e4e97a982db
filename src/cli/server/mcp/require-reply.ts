import { parseJson } from '../../../kernel/text/parse-json.ts';
import { ServerError } from '../server-error.ts';

/**
 * Returns the same answer if it can hold the reply to the JSON-RPC request that was sent. Throws {@link ServerError} if
 * it cannot: the SDK would wait for minutes for another answer.
 */
export async function requireReply(
  response: Response,
  { sent, url }: { readonly sent: unknown; readonly url: URL },
): Promise<Response> {
  const { status, headers } = response;
  const isJson = /^application\/json\b/i.test(headers.get('content-type') ?? '');
  const id = typeof sent === 'string' ? idOf(read(sent)) : undefined;
  if (!response.ok || !isJson || id === undefined) return response;
  const text = await response.text();
  if ([read(text)].flat().some((message) => idOf(message) === id || isError(message))) {
    return new Response(text, { status, headers });
  }
  throw new ServerError(
    'CONTEXT_SERVER_FAILED',
    `${url.origin} answers ${status} at ${url.pathname}, but not in the form of an MCP server: check the address, or name another server.`,
  );
}

function read(text: string): unknown {
  try {
    return parseJson(text, { mostValues: Number.POSITIVE_INFINITY });
  } catch {
    return undefined;
  }
}

function idOf(message: unknown): unknown {
  return isObject(message) && 'id' in message ? message.id : undefined;
}

/** A server that cannot read a request does not know its id. */
function isError(message: unknown): boolean {
  return isObject(message) && 'jsonrpc' in message && 'error' in message;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
