import { readHeldGrants } from '../../authorization/client/index.ts';
import type { Command } from '../command.ts';
import { renderGrants } from '../render/grants.ts';
import { clientOptions } from '../server/client-options.ts';
import { parseServer } from '../server/mcp/find-context-server.ts';
import { serverOption } from '../server/server-option.ts';

/** `tradewind whoami`: lists the grants that are kept for a server. Exits 1 if there are none. */
export const whoamiCommand: Command = {
  operands: '[server]',
  description:
    'Shows all grants that are kept on this machine for the server, whatever path they are for. It does not\nask the server whether they are still valid.',
  options: {
    server: serverOption,
    json: { type: 'boolean', help: 'Print it as JSON, without the tokens.' },
  },
  async run(input) {
    const { origin } = parseServer(input);
    const grants = await readHeldGrants(clientOptions(origin, input));
    const isJson = input.flags.json === true;
    input.terminal.stdout.write(renderGrants({ server: origin, grants, isJson }));
    return grants.length === 0 ? 1 : 0;
  },
};
