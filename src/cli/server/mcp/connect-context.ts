import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { version } from '../../../app/version.ts';
import {
  type AuthorizedFetchOptions,
  createAuthorizedFetch,
} from '../../../authorization/client/index.ts';
import { DomainError } from '../../../kernel/model/domain-error.ts';
import { parseJson } from '../../../kernel/text/json.ts';
import { linkSignals, orAborted } from '../../../kernel/wait/cancel.ts';
import type { Terminal } from '../../command.ts';
import { Interrupted } from '../../input/usage-error.ts';
import { plainText } from '../../plain-text.ts';
import { withToken } from '../fetch-with-credentials.ts';
import { explainFailedRequest, ServerError } from '../server-error.ts';

/** Any request may have to wait for a person, who has five minutes to sign in. */
const patience = { timeout: 6 * 60_000 };

type ContextConnection = {
  /** The MCP server, at the origin that the options are for. */
  readonly url: string;
  readonly options: AuthorizedFetchOptions;
  readonly terminal: Terminal;
  /** Whether to obtain a grant even if the environment holds a token. */
  readonly isSignIn?: boolean;
};

/**
 * Connects to an MCP server, runs `work` and closes the connection. Signs in if the server requires it.
 * Throws `ClientError` if no token can be obtained, {@link ServerError} if the server refuses or cannot be reached, and
 * {@link Interrupted} if a signal ends the process, which cancels the work.
 */
export async function connectContext<T>(
  { url, options, terminal, isSignIn = false }: ContextConnection,
  work: (client: Client, patience: RequestOptions) => Promise<T>,
): Promise<T> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const ended = new AbortController();
  terminal.onTerminate(() => ended.abort());
  const { TRADEWIND_TOKEN: token } = isSignIn ? {} : terminal.environment;
  const authorized = token ? withToken(url, token) : await createAuthorizedFetch(options);
  const client = new Client(
    { name: 'tradewind', version },
    { versionNegotiation: { mode: 'auto' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (address, init) => {
      // Not released: the body of the answer may be a stream that is read for as long as the command runs.
      const { signal } = linkSignals(ended.signal, init?.signal ?? undefined);
      const answer = authorized(address, { ...init, signal }).catch((error) => {
        // `fetch` throws a `TypeError` if nobody answers.
        throw error instanceof TypeError ? explainFailedRequest(new URL(url).origin, error) : error;
      });
      return answer.then((response) =>
        requireReply(response, { sent: init?.body, url: new URL(url) }),
      );
    },
  });
  try {
    const done = client.connect(transport, patience).then(() => work(client, patience));
    // When its stream is cut off, a request keeps waiting for another stream that resumes it.
    return await orAborted(done, ended.signal);
  } catch (error) {
    throw ended.signal.aborted ? new Interrupted() : explain(error, new URL(url));
  } finally {
    await client.close().catch(() => {});
  }
}

function explain(error: unknown, { origin, pathname }: URL): unknown {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof DomainError) return inner;
  }
  const reason = error instanceof Error ? plainText(rootOf(error).message) : 'unknown reason';
  const hint = isUnknownTool(reason) ? '; see tradewind tools' : '';
  return new ServerError(
    'CONTEXT_SERVER_FAILED',
    `The MCP server at ${origin}${pathname} failed: ${reason}${hint}`,
    { cause: error },
  );
}

/** Whether a server says that a tool does not exist. MCP has no code for that alone, so the text of its SDK counts. */
export function isUnknownTool(text: string): boolean {
  return /\bTool \S+ not found$/.test(text);
}

/** The innermost cause says most: behind "fetch failed" is the refused connection. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

/**
 * Returns the same answer if it can hold the reply to the JSON-RPC request that was sent. Throws {@link ServerError} if
 * it cannot: the SDK would wait for minutes for another answer.
 */
async function requireReply(
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
