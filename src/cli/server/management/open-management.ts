import { createAuthorizedFetch } from '../../../authorization/client/index.ts';
import type { CommandInput } from '../../command.ts';
import { clientOptions } from '../client-options.ts';
import { fetchWithCredentials, withToken } from '../fetch-with-credentials.ts';
import { readPages } from '../read-pages.ts';
import { serverUrlOf } from '../server-option.ts';
import { createEventsClient, type EventsClient } from '../subscriptions/create-events-client.ts';
import { findOperatorCredential } from './find-operator-credential.ts';

/** Opens the interface by which a server is managed, as {@link fetchAsManager} asks. */
export async function openManagement(input: CommandInput, scope = 'admin'): Promise<EventsClient> {
  return createEventsClient(serverUrlOf(input), await fetchAsManager(input, scope));
}

/**
 * Requests to a server by whoever manages it: with the credentials of the environment, as
 * `TRADEWIND_TOKEN`; on the server's own machine by the credential in its data directory; else by
 * signing in, for which somebody must be admin unless `scope` says that less will do.
 */
export async function fetchAsManager(input: CommandInput, scope = 'admin'): Promise<typeof fetch> {
  const url = serverUrlOf(input);
  const { origin } = new URL(url);
  const given = await fetchWithCredentials(origin, input.terminal.environment);
  if (given.hasCredentials) return given.fetch;
  const credential = findOperatorCredential(url, input);
  if (credential !== undefined) return withToken(origin, credential);
  // A flag of that name says the scope of a client or of a resource here.
  return createAuthorizedFetch({ ...clientOptions(origin, input), scope });
}

/** Every page of a list. */
export async function listPages<Page extends { readonly nextPageToken?: string | undefined }>(
  client: EventsClient,
  path: string,
): Promise<readonly Page[]> {
  const ask = (pageToken: string | undefined) => {
    const query = { pageSize: '100', ...(pageToken ? { pageToken } : {}) };
    return client.request<Page>('GET', path, { query });
  };
  const pages: Page[] = [];
  for await (const page of readPages(ask, ({ nextPageToken }) => nextPageToken)) pages.push(page);
  return pages;
}
