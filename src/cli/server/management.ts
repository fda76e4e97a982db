import { z } from 'zod';
import { createAuthorizedFetch } from '../../authorization/client/index.ts';
import { readOperatorCredential } from '../../authorization/index.ts';
import { isLoopbackHost } from '../../kernel/model/network.ts';
import { lookIntoDataDirectory } from '../../kernel/process/data-directory.ts';
import { parseUrl } from '../../kernel/text/url.ts';
import type { CommandInput, Flags, Terminal } from '../command.ts';
import { clientOptions, signInOptions } from './client-options.ts';
import { createEventsClient, type EventsClient, type Shape } from './events-client.ts';
import { fetchWithCredentials, withToken } from './fetch-with-credentials.ts';
import { readPages } from './server-client.ts';
import { serverOption, serverUrlOf } from './server-option.ts';

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

/**
 * The credential that a server left in its data directory, which authenticates its operator. It is returned only for
 * an address on this machine or at the origin of `TRADEWIND_PUBLIC_URL`. Root reads it with the rights of the directory's
 * owner only (N19).
 */
export function findOperatorCredential(
  url: string,
  { flags, terminal }: { flags: Flags; terminal: Pick<Terminal, 'environment'> },
): string | undefined {
  const { TRADEWIND_DATA_DIR, TRADEWIND_PUBLIC_URL } = terminal.environment;
  const { origin, hostname } = new URL(url);
  const isOurs =
    isLoopbackHost(hostname) || origin === parseUrl(TRADEWIND_PUBLIC_URL ?? '')?.origin;
  if (!isOurs) return undefined;
  const dataDir = String(flags['data-dir'] ?? (TRADEWIND_DATA_DIR || './data'));
  return lookIntoDataDirectory(dataDir, readOperatorCredential);
}

const { scope: _scope, ...signInOnly } = signInOptions;

/** The flags of commands that manage a server. */
export const managementOptions = {
  ...signInOnly,
  'data-dir': {
    type: 'string',
    argument: '<path>',
    help: 'The data directory of a server on this machine. Default: ./data. Or TRADEWIND_DATA_DIR.',
  },
  server: serverOption,
  json: { type: 'boolean', help: 'Print as JSON.' },
} as const;

/** How these commands authenticate, as text for their help. */
export const managementHelp =
  'The command uses the access token in TRADEWIND_TOKEN if it is set. Without it, a user who can read the data directory\nof the server needs no sign-in; everyone else signs in as an admin.';
