import type { ChainAnswer } from '../../swap/wire.ts';
import { plainText } from './plain-text.ts';

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
  const table = [['CHAIN', 'NAME', 'NATIVE', 'EXCHANGES'], ...rows];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
