import { readHeldGrant } from '../authorization/client/index.ts';
import type { Command } from './command.ts';
import { connectContext } from './connect-context.ts';
import { clientOptions, findContextUrl, signInOptions } from './context-server.ts';
import { renderGrant } from './render/grant.ts';
import { showProgress } from './show-progress.ts';

/** `tradewind login`: goes through the whole flow once, so that later commands need no person. */
export const loginCommand: Command = {
  operands: '[server]',
  description:
    'The server is an address such as http://localhost:8787; any context server that follows the protocol will do.\nThe page to sign in at is opened and printed. Tokens are kept sealed, for you alone.\n\n  tradewind login http://localhost:8787\n  tradewind login https://api.example.com/mcp --no-browser',
  options: {
    ...signInOptions,
    json: { type: 'boolean', help: 'Print what was granted as JSON, without the tokens.' },
  },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const serverUrl = await findContextUrl(input);
    const options = clientOptions(serverUrl, input);
    await showProgress(stderr, `signing in at ${new URL(serverUrl).origin}`, () =>
      // Some servers let everyone connect and ask only for what is behind.
      connectContext(options, input.terminal, (client, patience) =>
        client.listTools(undefined, patience),
      ),
    );
    const grant = await readHeldGrant(options);
    stdout.write(renderGrant({ serverUrl, grant, isJson: input.flags.json === true }));
    return 0;
  },
};
