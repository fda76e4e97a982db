import { z } from 'zod';
import type { ContextUseCases, SubscriptionUseCases } from '../context/index.ts';
import { chainsOperation, quoteOperation, tokensOperation } from '../swap/wire.ts';
import { createServerClient } from './create-server-client.ts';
import type { CredentialedFetch } from './fetch-with-credentials.ts';
import { plainText } from './render/plain-text.ts';
import { ServerError } from './server-error.ts';

/**
 * What the tools can do at a running server, over its interfaces: quotes always, subscriptions where
 * there are credentials to own them.
 */
export function createRemoteUseCases(
  url: string,
  { fetch, hasCredentials }: CredentialedFetch,
): ContextUseCases {
  const server = createServerClient(url, fetch);
  return {
    swap: {
      quote: { output: quoteOperation.data, ask: (given) => server.get(quoteOperation, given) },
      chains: { output: chainsOperation.data, ask: () => server.get(chainsOperation) },
      tokens: { output: tokensOperation.data, ask: (given) => server.get(tokensOperation, given) },
    },
    ...(hasCredentials ? { subscriptions: remoteSubscriptions(url, fetch) } : {}),
  };
}

function remoteSubscriptions(url: string, fetch: typeof globalThis.fetch): SubscriptionUseCases {
  const base = `${url.replace(/\/$/, '')}/v1`;
  const { origin } = new URL(url);

  async function ask(path: string, init: RequestInit): Promise<object> {
    const response = await fetch(`${base}/${path}`, init).catch((cause) => {
      const message = `The server at ${origin} cannot be asked: is it running, and are the credentials right?`;
      throw new ServerError('SERVER_UNREACHABLE', message, { cause });
    });
    const body: unknown = await response.json().catch(() => undefined);
    const { data: refusal } = refusalBody.safeParse(body);
    if (refusal !== undefined) {
      const { status, message, details } = refusal.error;
      throw new ServerError(status, plainText(message), details ? { details: { details } } : {});
    }
    if (response.ok && typeof body === 'object' && body !== null) return body;
    throw new ServerError(
      'NOT_SERVED',
      `${origin} answers ${response.status}, but not as change notifications do: it may not run them.`,
    );
  }

  /** What an operation is about is in its response, unless it is still running. */
  async function operate(path: string, init: RequestInit): Promise<object> {
    const operation = operationBody.parse(await ask(path, init));
    return operation.response ?? operation;
  }

  const post = (body: object): RequestInit => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return {
    create: (body, { signal }) => operate('subscriptions', { ...post(body), signal }),
    get: (name, { signal }) => ask(name, { signal }),
    list: (query, { signal }) => ask(`subscriptions?${new URLSearchParams(query)}`, { signal }),
    delete: (name, { signal }) => operate(name, { method: 'DELETE', signal }),
    reactivate: (name, { signal }) => operate(`${name}:reactivate`, { ...post({}), signal }),
  };
}

const refusalBody = z.object({
  error: z.object({
    status: z.string(),
    message: z.string(),
    details: z.array(z.unknown()).optional(),
  }),
});

const operationBody = z.looseObject({ response: z.looseObject({}).optional() });
