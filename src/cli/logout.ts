import { type RevokedGrant, revokeGrants } from '../authorization/client/index.ts';
import type { Command } from './command.ts';
import { plainText } from './plain-text.ts';
import { showProgress } from './render/show-progress.ts';
import { clientOptions } from './server/client-options.ts';
import { parseServer } from './server/find-context-server.ts';

/** `tradewind logout`: revokes every grant at the server, and forgets them in any case. */
export const logoutCommand: Command = {
  operands: '[server]',
  description:
    'Ends everything that is kept on this machine for the server, whatever path it was asked for. It is\nforgotten even where the server cannot be reached.',
  options: { json: { type: 'boolean', help: 'Print what became of it as JSON.' } },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const { origin } = parseServer(input);
    const grants = await showProgress(stderr, 'signing out', () =>
      revokeGrants(clientOptions(origin, input)),
    );
    const told = grants.map(describe).join('') || `Nothing was kept for ${origin}.\n`;
    stdout.write(input.flags.json ? `${JSON.stringify({ grants })}\n` : told);
    return 0;
  },
};

function describe({ server, resource = server, isRevoked }: RevokedGrant): string {
  const doubt = isRevoked ? '' : ', though the server did not confirm it';
  return `Signed out of ${plainText(resource)}${doubt}.\n`;
}
