import { chainsOperation } from '../../swap/wire.ts';
import type { Command } from '../command.ts';
import { renderChains } from '../render/chains.ts';
import { showProgress } from '../render/show-progress.ts';
import { serverOf, serverOption } from '../server/server-option.ts';

/** `tradewind chains`: what a running server can quote on. */
export const chainsCommand: Command = {
  description: 'Calls a running server, by default the one on this machine.',
  options: {
    server: serverOption,
    json: { type: 'boolean', help: 'Print the chains as JSON.' },
  },
  async run(input) {
    const { stdout, stderr } = input.terminal;
    const server = serverOf(input);
    const data = await showProgress(stderr, `asking ${server.origin}`, () =>
      server.get(chainsOperation),
    );
    stdout.write(input.flags.json ? `${JSON.stringify(data)}\n` : renderChains(data.chains));
    return 0;
  },
};
