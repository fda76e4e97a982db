import {
  type AuthorizedFetchOptions,
  createAuthorizedFetch,
  type HeldGrant,
  readHeldGrants,
} from '../../authorization/client/index.ts';
import type { Command, CommandInput } from '../command.ts';
import { clientOptions, signInOptions } from '../server/client-options.ts';
import { findContextServer } from '../server/mcp/find-context-server.ts';
import { explainFailedRequest, ServerError } from '../server/server-error.ts';
import { serverOption } from '../server/server-option.ts';

/** `tradewind token`: an access token for scripts, refreshed where it has expired. */
export const tokenCommand: Command = {
  operands: '[server]',
  description:
    'Prints the access token that is kept for the server, and signs in first if there is none. It is a secret and expires after\nsome minutes: get a new one for each run of a script. To run without a person, set TRADEWIND_CLIENT_ID and\nTRADEWIND_CLIENT_SECRET of a client that acts for itself.\n\n  curl -H "Authorization: Bearer $(tradewind token)" http://localhost:8787/v1/monitor/subscriptions\n  tradewind token https://api.example.com --scope events.publish --json',
  options: {
    ...signInOptions,
    server: serverOption,
    json: { type: 'boolean', help: 'Print it as JSON, with its scope and expiry.' },
  },
  async run(input) {
    const { stdout, environment } = input.terminal;
    const given = environment.TRADEWIND_TOKEN;
    const token = given ? { accessToken: given } : describe(await obtain(input));
    stdout.write(input.flags.json ? `${JSON.stringify(token)}\n` : `${token.accessToken}\n`);
    return 0;
  },
};

async function obtain(input: CommandInput): Promise<HeldGrant> {
  const { url, signInUrl, scope } = await findContextServer(input);
  const given = clientOptions(signInUrl, input);
  const hasClient = given.clientId !== undefined;
  const base: AuthorizedFetchOptions = {
    ...given,
    // A token that a client gets for itself is not stored.
    ...(hasClient ? { vault: new Map() } : {}),
    scope: given.scope ?? (hasClient ? undefined : scope),
  };
  const find = async () =>
    (await readHeldGrants(base)).find(({ server }) => server === new URL(signInUrl).href);
  const held = await find();
  const asked = given.scope?.split(' ') ?? [];
  const isShort = asked.some((word) => held?.scope.includes(word) !== true);
  const fetchAuthorized = await createAuthorizedFetch({
    ...base,
    ...(isShort ? { isAnew: true, scope: unite(held?.scope ?? [], asked) } : {}),
  });
  // Any answer will do: sending the request obtains or refreshes the token, or shows that it is valid.
  const answer = await fetchAuthorized(url, { headers: { accept: 'text/event-stream' } }).catch(
    (error: unknown) => {
      throw error instanceof TypeError ? explainFailedRequest(new URL(url).origin, error) : error;
    },
  );
  await answer.body?.cancel();
  const grant = await find();
  if (grant !== undefined) return grant;
  throw new ServerError(
    'NO_TOKEN_NEEDED',
    `${new URL(url).origin} asked for no sign-in, so there is no token.`,
  );
}

function unite(held: readonly string[], asked: readonly string[]): string {
  return [...new Set([...held, ...asked])].join(' ');
}

function describe({ accessToken, expiresAt, scope }: HeldGrant) {
  const expires = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  return { accessToken, scope: scope.join(' '), ...(expires === undefined ? {} : { expires }) };
}
