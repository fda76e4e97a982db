import { z } from 'zod';
import type { ContextUseCases, SubscriptionUseCases } from '../../../context/index.ts';
import { chainsOperation, quoteOperation, tokensOperation } from '../../../swap/wire.ts';
import { createEventsClient, type EventsRequest } from '../events-client.ts';
import type { CredentialedFetch } from '../fetch-with-credentials.ts';
import { createServerClient } from '../server-client.ts';
import { remoteEvents } from './remote-events.ts';

/**
 * The use cases of the tools, over the interfaces of a running server: quotes always, subscriptions only
 * with credentials to own them.
 */
export function createRemoteUseCases(
  url: string,
  { fetch, hasCredentials }: CredentialedFetch,
): ContextUseCases {
  const server = createServerClient(url, fetch);
  return {
    swap: {
      quote: {
        output: quoteOperation.data,
        ask: (given, { signal }) => server.get(quoteOperation, given, { signal }),
      },
      chains: {
        output: chainsOperation.data,
        ask: (_, { signal }) => server.get(chainsOperation, {}, { signal }),
      },
      tokens: {
        output: tokensOperation.data,
        ask: (given, { signal }) => server.get(tokensOperation, given, { signal }),
      },
    },
    ...(hasCredentials
      ? { subscriptions: remoteSubscriptions(url, fetch), events: remoteEvents(url, fetch) }
      : {}),
  };
}

function remoteSubscriptions(url: string, fetch: typeof globalThis.fetch): SubscriptionUseCases {
  const client = createEventsClient(url, fetch);

  /** Returns the response of an operation, or the operation itself while it is still running. */
  async function operate(verb: string, path: string, request: EventsRequest): Promise<object> {
    const operation = await client.request<Operation>(verb, path, operationShape, request);
    return operation.response ?? operation;
  }

  return {
    create: (body, { signal }) => operate('POST', '/v1/subscriptions', { body, signal }),
    get: (name, { signal }) => client.request('GET', `/v1/${name}`, {}, { signal }),
    list: (query, { signal }) => client.request('GET', '/v1/subscriptions', {}, { query, signal }),
    delete: (name, { signal }) => operate('DELETE', `/v1/${name}`, { signal }),
    reactivate: (name, { signal }) =>
      operate('POST', `/v1/${name}:reactivate`, { body: {}, signal }),
  };
}

type Operation = { readonly response?: object };

const operationShape = { response: z.looseObject({}).optional() };
