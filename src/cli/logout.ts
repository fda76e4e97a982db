import { revokeGrant } from '../authorization/client/index.ts';
import type { Command } from './command.ts';
import { clientOptions, findContextUrl } from './context-server.ts';
import { showProgress } from './show-progress.ts';

/** `tradewind logout`: revokes at the server, and forgets in any case. */
export const logoutCommand: Command = {
  operands: '[server]',
  description: 'What is kept is forgotten even where the server cannot be reached.',
  options: { json: { type: 'boolean', help: 'Print what became of it as JSON.' } },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const serverUrl = await findContextUrl(input);
    const outcome = await showProgress(stderr, 'signing out', () =>
      revokeGrant(clientOptions(serverUrl, input)),
    );
    const { wasHeld, isRevoked } = outcome;
    const told = wasHeld
      ? `Signed out of ${serverUrl}${isRevoked ? '' : ', though the server did not confirm it'}.`
      : `Nothing was kept for ${serverUrl}.`;
    stdout.write(`${input.flags.json ? JSON.stringify(outcome) : told}\n`);
    return 0;
  },
};
