import { parseUrl } from '../../kernel/text/url.ts';
import type { CommandInput, CommandOption } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { withToken } from './fetch-with-credentials.ts';
import { createServerClient, type ServerClient } from './server-client.ts';

const defaultPort = '8787';
const defaultServer = `http://localhost:${defaultPort}`;

/** The flag of commands that talk to a running server. */
export const serverOption: CommandOption = {
  type: 'string',
  argument: '<url>',
  help: `The server to ask. Default: ${defaultServer}, with the port in TRADEWIND_PORT, and with https if TRADEWIND_TLS_CERT is set. Or TRADEWIND_PUBLIC_URL.`,
};

/** The server named by flag, environment or default. Sends `TRADEWIND_TOKEN` if it is set. Throws {@link UsageError} for an invalid URL. */
export function serverOf(input: CommandInput): ServerClient {
  const url = serverUrlOf(input);
  const { TRADEWIND_TOKEN: token } = input.terminal.environment;
  return createServerClient(url, token ? withToken(url, token) : boundedFetch);
}

/** The address of that server. Throws {@link UsageError} for an invalid URL. */
export function serverUrlOf({ flags, terminal: { environment } }: CommandInput): string {
  const { TRADEWIND_PUBLIC_URL: address, TRADEWIND_PORT, TRADEWIND_TLS_CERT } = environment;
  const scheme = TRADEWIND_TLS_CERT ? 'https' : 'http';
  const local = `${scheme}://localhost:${TRADEWIND_PORT || defaultPort}`;
  const url = String(flags.server ?? (address || local));
  const { protocol } = parseUrl(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:') throw refuseServer(url, defaultServer);
  return url;
}

/** What is wrong with the address of a server. */
export function refuseServer(text: string, example: string): UsageError {
  const isUrl = parseUrl(text) !== undefined;
  const problem = isUrl ? 'must begin with http:// or https://' : 'is not a URL';
  return new UsageError(
    `The server ${JSON.stringify(text)} ${problem}: write it as in ${example}.`,
  );
}
