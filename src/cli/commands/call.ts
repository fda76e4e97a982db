import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Command, CommandInput } from '../command.ts';
import { parseJsonObject } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { renderToolResult } from '../render/tools.ts';
import { clientOptions, signInOptions } from '../server/client-options.ts';
import { connectContext, isUnknownTool } from '../server/mcp/connect-context.ts';
import { findContextServer } from '../server/mcp/find-context-server.ts';
import { serverOption } from '../server/server-option.ts';
import { showProgress } from '../terminal.ts';

/** `tradewind call`: calls one tool once. Exits 1 if the tool reports an error. */
export const callCommand: Command = {
  operands: "[server] <tool> ['<json>']",
  description:
    'The arguments of the tool are one JSON object, which may be left out. Name the server\nbefore the tool, or with --server. Signs in first if the server requires it.\n\n  tradewind call http://localhost:8787 list_chains\n  tradewind call http://localhost:8787 list_tokens \'{"chainId": 31337}\' --json',
  options: {
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print the whole result as JSON.' },
  },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const { server, words } = splitServer(input);
    const [name, json = '{}', ...more] = words;
    if (name === undefined || name.includes('://') || more.length > 0) {
      throw new UsageError(
        'Give the server, the tool and its arguments, as in: tradewind call http://localhost:8787 list_tokens \'{"chainId": 31337}\'.',
      );
    }
    const args = parseJsonObject(json);
    if (args === undefined) {
      throw new UsageError(
        `The arguments ${json} are not a JSON object: write them as in '{"chainId": 31337}'.`,
      );
    }
    const { url, signInUrl } = await findContextServer({ ...input, operands: server });
    const options = clientOptions(signInUrl, input);
    const result = await showProgress(stderr, `calling ${name}`, () =>
      connectContext({ url, options, terminal: input.terminal }, (client, patience) =>
        client.callTool({ name, arguments: { ...args } }, patience),
      ),
    );
    stdout.write(input.flags.json ? `${JSON.stringify(result)}\n` : renderToolResult(result));
    if (result.isError && saysUnknownTool(result) && !input.flags.json) {
      stderr.write('For the tools of this server see tradewind tools.\n');
    }
    return result.isError ? 1 : 0;
  },
};

function saysUnknownTool({ content }: CallToolResult): boolean {
  return content.some((part) => part.type === 'text' && isUnknownTool(part.text));
}

/** Separates a leading server from the tool and its arguments. Of two words, the first is a server unless the second is JSON. */
function splitServer({ operands, flags }: CommandInput) {
  const mostWithout = /^\s*[[{"]/.test(operands[1] ?? '') ? 2 : 1;
  const count = flags.server === undefined && operands.length > mostWithout ? 1 : 0;
  return { server: operands.slice(0, count), words: operands.slice(count) };
}
