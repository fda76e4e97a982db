import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { version } from '../../../app/version.ts';
import {
  type AuthorizedFetchOptions,
  createAuthorizedFetch,
} from '../../../authorization/client/index.ts';
import { linkSignals } from '../../../kernel/cancel/link-signals.ts';
import { orAborted } from '../../../kernel/cancel/or-aborted.ts';
import { DomainError } from '../../../kernel/domain-error.ts';
import type { Terminal } from '../../command.ts';
import { Interrupted } from '../../input/interrupted.ts';
import { plainText } from '../../plain-text.ts';
import { explainFailedRequest } from '../explain-failed-request.ts';
import { withToken } from '../fetch-with-credentials.ts';
import { ServerError } from '../server-error.ts';
import { requireReply } from './require-reply.ts';

/** Any request may have to wait for a person, who has five minutes to sign in. */
const patience = { timeout: 6 * 60_000 };

export type ContextConnection = {
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
