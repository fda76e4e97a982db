import { clientOptions, signInOptions } from './client-options.ts';
import type { Command } from './command.ts';
import { connectContext } from './connect-context.ts';
import { findContextServer } from './find-context-server.ts';
import { renderTools } from './render/tools.ts';
import { showProgress } from './show-progress.ts';

/** `tradewind tools`: what a context server can do. */
export const toolsCommand: Command = {
  operands: '[server]',
  description:
    'Signs in first where the server wants it.\n\n  tradewind tools http://localhost:8787',
  options: {
    ...signInOptions,
    json: { type: 'boolean', help: 'Print the tools with their schemas as JSON.' },
  },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const { url, signInUrl } = await findContextServer(input);
    const options = clientOptions(signInUrl, input);
    const { tools } = await showProgress(stderr, `asking ${new URL(url).origin}`, () =>
      connectContext({ url, options, terminal: input.terminal }, (client, patience) =>
        client.listTools(undefined, patience),
      ),
    );
    stdout.write(input.flags.json ? `${JSON.stringify({ tools })}\n` : renderTools(tools));
    return 0;
  },
};
