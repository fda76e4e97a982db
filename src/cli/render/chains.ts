import type { ChainAnswer } from '../../swap/wire.ts';
import { plainText } from '../plain-text.ts';
import { renderTable } from './table.ts';

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
