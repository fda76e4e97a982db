import { z } from 'zod';
import { createAuthorizedFetch } from '../../../authorization/client/index.ts';
import type { CommandInput } from '../../command.ts';
import { clientOptions } from '../client-options.ts';
import { fetchWithCredentials, withToken } from '../fetch-with-credentials.ts';
import { readPages } from '../read-pages.ts';
import { serverUrlOf } from '../server-option.ts';
import {
  createEventsClient,
  type EventsClient,
  type Shape,
} from '../subscriptions/create-events-client.ts';
import { findOperatorCredential } from './find-operator-credential.ts';

/** A client for the management interface, authenticated by {@link fetchAsManager}. */
export async function openManagement(input: CommandInput, scope = 'admin'): Promise<EventsClient> {
  return createEventsClient(serverUrlOf(input), await fetchAsManager(input, scope));
}

/**
 * A `fetch` for whoever manages a server. It uses credentials of the environment such as
 * `TRADEWIND_TOKEN`, else on the server's own machine the credential in the data directory, else a
 * sign-in, which needs an admin unless `scope` asks for less.
 */
export async function fetchAsManager(input: CommandInput, scope = 'admin'): Promise<typeof fetch> {
  const url = serverUrlOf(input);
  const { origin } = new URL(url);
  const given = await fetchWithCredentials(origin, input.terminal.environment);
  if (given.hasCredentials) return given.fetch;
  const credential = findOperatorCredential(url, input);
  if (credential !== undefined) return withToken(origin, credential);
  // In these commands `--scope` is the scope of a client or resource, so it must not reach the sign-in.
  return createAuthorizedFetch({ ...clientOptions(origin, input), scope });
}

/** Every page of a list; `shape` is that of each page. */
export async function listPages<Page extends { readonly nextPageToken?: string | undefined }>(
  client: EventsClient,
  path: string,
  shape: Shape<Page>,
): Promise<readonly Page[]> {
  const ask = (pageToken: string | undefined) => {
    const query = { pageSize: '100', ...(pageToken ? { pageToken } : {}) };
    return client.request<Page>(
      'GET',
      path,
      { ...shape, nextPageToken: z.string().optional() },
      { query },
    );
  };
  const pages: Page[] = [];
  for await (const page of readPages(ask, ({ nextPageToken }) => nextPageToken)) pages.push(page);
  return pages;
}
