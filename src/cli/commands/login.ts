import { type HeldGrant, readHeldGrants } from '../../authorization/client/index.ts';
import type { Command } from '../command.ts';
import { renderGrants } from '../render/grants.ts';
import { clientOptions, signInOptions } from '../server/client-options.ts';
import { connectContext } from '../server/mcp/connect-context.ts';
import { findContextServer } from '../server/mcp/find-context-server.ts';
import { serverOption } from '../server/server-option.ts';
import { showProgress } from '../terminal.ts';

/** `tradewind login`: runs the whole sign-in flow once, so that later commands run unattended. */
export const loginCommand: Command = {
  operands: '[server]',
  description:
    'The server is the address of any MCP server, such as http://localhost:8787.\nThe sign-in page is printed and opened. Tokens are stored encrypted, readable only by you.\n\nAt a Tradewind server it asks for swap.read, subscriptions.read and subscriptions.write, for all paths of the server:\ntools, call, subscribe, listen and subscriptions then need no further sign-in; publish and applications ask\nfor more. If the address has a path, or it is not a Tradewind server, it asks for the scopes that the server requires.\nIf you are signed in already, --device or another --scope signs you in again; the old grant is replaced and revoked.\n\n  tradewind login http://localhost:8787\n  tradewind login https://api.example.com/mcp --no-browser',
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
        'After the sign-in you lose the scopes that are not in --scope; subscriptions that need them are suspended.\n',
      );
    }
    let isAsked = flags.device === true;
    const options = {
      ...given,
      openBrowser(page: string) {
        isAsked = true;
        return given.openBrowser?.(page);
      },
      // A client made beforehand may be registered for fewer scopes: let the server decide.
      scope: given.scope ?? (given.clientId ? undefined : scope),
      isAnew: flags.device === true || isOtherScope(held, given.scope),
    };
    await showProgress(terminal.stderr, `signing in at ${new URL(url).origin}`, () =>
      // Some servers let anyone connect and demand a token only for later requests.
      connectContext({ url, options, terminal, isSignIn: true }, (client, patience) =>
        client.listTools(undefined, patience),
      ),
    );
    const grants = await heldAt();
    if (held.length > 0 && !isAsked) {
      terminal.stderr.write(
        `You are signed in already, and that grant is shown. To sign in again, first run tradewind logout ${new URL(url).origin}.\n`,
      );
    }
    const isJson = flags.json === true;
    terminal.stdout.write(renderGrants({ server: signInUrl, grants, isJson }));
    return 0;
  },
};

/** Whether a held grant has other scopes than those asked for now. */
function isOtherScope(held: readonly HeldGrant[], asked: string | undefined): boolean {
  if (asked === undefined) return false;
  const wanted = asked.split(' ').toSorted().join(' ');
  return held.some(({ scope }) => scope.toSorted().join(' ') !== wanted);
}

/** Whether a held grant has a scope that is not asked for now. */
function leavesOut(held: readonly HeldGrant[], asked: string | undefined): boolean {
  const wanted = asked?.split(' ');
  return held.some(({ scope }) => scope.some((word) => wanted?.includes(word) === false));
}
