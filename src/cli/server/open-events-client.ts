import { createAuthorizedFetch } from '../../authorization/client/index.ts';
import type { CommandInput } from '../command.ts';
import { clientOptions } from './client-options.ts';
import { createEventsClient, type EventsClient } from './events-client.ts';
import { fetchWithCredentials } from './fetch-with-credentials.ts';
import { serverUrlOf } from './server-option.ts';

/**
 * Opens the events interface with credentials of the environment such as `TRADEWIND_TOKEN`, and
 * otherwise by signing in as `tradewind login` does. The token is for the whole origin, so that one
 * sign-in serves every path that a command calls; `scope` names all scopes that the command needs.
 */
export async function openEventsClient(input: CommandInput, scope: string): Promise<EventsClient> {
  const url = serverUrlOf(input);
  const { origin } = new URL(url);
  const { fetch, hasCredentials } = await fetchWithCredentials(origin, input.terminal.environment);
  if (hasCredentials) return createEventsClient(url, fetch);
  const options = clientOptions(origin, input);
  const authorized = await createAuthorizedFetch({ ...options, scope: options.scope ?? scope });
  return createEventsClient(url, authorized);
}
