import { readHeldGrant } from '../authorization/client/index.ts';
import type { Command } from './command.ts';
import { clientOptions, findContextUrl } from './context-server.ts';
import { renderGrant } from './render/grant.ts';

/** `tradewind whoami`: what is kept for a server. Exits 1 where nothing is. */
export const whoamiCommand: Command = {
  operands: '[server]',
  description:
    'Reads what is kept on this machine; it does not ask the server whether it still holds.',
  options: { json: { type: 'boolean', help: 'Print it as JSON, without the tokens.' } },
  async run(input) {
    const serverUrl = await findContextUrl(input);
    const grant = await readHeldGrant(clientOptions(serverUrl, input));
    const isJson = input.flags.json === true;
    input.terminal.stdout.write(renderGrant({ serverUrl, grant, isJson }));
    return grant === undefined ? 1 : 0;
  },
};
