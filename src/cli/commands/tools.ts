import type { Command } from '../command.ts';
import { renderTools } from '../render/tools.ts';
import { clientOptions, signInOptions } from '../server/client-options.ts';
import { connectContext } from '../server/mcp/connect-context.ts';
import { findContextServer } from '../server/mcp/find-context-server.ts';
import { serverOption } from '../server/server-option.ts';
import { showProgress } from '../terminal.ts';

/** `tradewind tools`: what an MCP server can do. */
export const toolsCommand: Command = {
  operands: '[server]',
  description:
    'Signs in first if the server requires it.\n\n  tradewind tools http://localhost:8787',
  options: {
    server: serverOption,
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
