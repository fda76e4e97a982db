import { type HeldGrant, readHeldGrants } from '../../authorization/client/index.ts';
import type { Command } from '../command.ts';
import { renderGrants } from '../render/grants.ts';
import { showProgress } from '../render/show-progress.ts';
import { clientOptions, signInOptions } from '../server/client-options.ts';
import { connectContext } from '../server/mcp/connect-context.ts';
import { findContextServer } from '../server/mcp/find-context-server.ts';
import { serverOption } from '../server/server-option.ts';

/** `tradewind login`: goes through the whole flow once, so that later commands need no person. */
export const loginCommand: Command = {
  operands: '[server]',
  description:
    'The server is an address such as http://localhost:8787; any MCP server that follows the protocol will do.\nThe page to sign in at is opened and printed. Tokens are kept sealed, for you alone.\n\nA Tradewind server is asked for swap.read, subscriptions.read and subscriptions.write, for all of its paths:\ntools, call, subscribe, listen and subscriptions then need no further sign-in, publish and applications ask\nfor more. Whoever is signed in already signs in again where --device is given, or a --scope other than what is\nkept; what was kept is replaced and revoked. A server that is given with a path, and any other, is asked for what it demands there.\n\n  tradewind login http://localhost:8787\n  tradewind login https://api.example.com/mcp --no-browser',
  options: {
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print what was granted as JSON, without the tokens.' },
  },
  async run(input) {
    const { terminal, flags } = input;
    const { url, signInUrl, scope } = await findContextServer(input);
    const given = clientOptions(signInUrl, input);
    const heldAt = async () =>
      (await readHeldGrants(given)).filter(({ server }) => server === new URL(signInUrl).href);
    const held = await heldAt();
    if (leavesOut(held, given.scope)) {
      terminal.stderr.write(
        'What is held beyond this scope ends when you have signed in; subscriptions that need it are suspended.\n',
      );
    }
    const options = {
      ...given,
      // A client that was made beforehand may be registered for less, which the server knows.
      scope: given.scope ?? (given.clientId ? undefined : scope),
      isAnew: flags.device === true || isOtherScope(held, given.scope),
    };
    await showProgress(terminal.stderr, `signing in at ${new URL(url).origin}`, () =>
      // Some servers let everyone connect and ask only for what is behind.
      connectContext({ url, options, terminal, isSignIn: true }, (client, patience) =>
        client.listTools(undefined, patience),
      ),
    );
    const grants = await heldAt();
    const isJson = flags.json === true;
    terminal.stdout.write(renderGrants({ server: signInUrl, grants, isJson }));
    return 0;
  },
};

/** Whether somebody is signed in, and for something else than what is asked for now. */
function isOtherScope(held: readonly HeldGrant[], asked: string | undefined): boolean {
  if (asked === undefined) return false;
  const wanted = asked.split(' ').toSorted().join(' ');
  return held.some(({ scope }) => scope.toSorted().join(' ') !== wanted);
}

/** Whether something is held that is not asked for now. */
function leavesOut(held: readonly HeldGrant[], asked: string | undefined): boolean {
  const wanted = asked?.split(' ');
  return held.some(({ scope }) => scope.some((word) => wanted?.includes(word) === false));
}
