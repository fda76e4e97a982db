import { type ChainAnswer, chainsOperation } from '../../swap/wire.ts';
import type { Command } from '../command.ts';
import { plainText } from '../plain-text.ts';
import { serverOf, serverOption } from '../server/server-option.ts';
import { renderTable, showProgress } from '../terminal.ts';

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

/** A table of chains, in the order of their ids. */
export function renderChains(chains: readonly ChainAnswer[]): string {
  const rows = chains
    .toSorted((a, b) => a.chainId - b.chainId)
    .map(({ chainId, name, nativeCurrency, dexes }) => [
      String(chainId),
      plainText(name),
      plainText(nativeCurrency.symbol),
      plainText(dexes.map((dex) => dex.name).join(', ')),
    ]);
  return renderTable([['CHAIN', 'NAME', 'NATIVE', 'EXCHANGES'], ...rows]);
}
