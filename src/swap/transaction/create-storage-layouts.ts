import { createBoundedMap } from '../../kernel/collections/bounded-map.ts';
import { type Block, type ChainReader, readCalls } from '../chain/chain-reader.ts';
import { swapLimits } from '../limits.ts';
import type { Address } from '../model/address.ts';
import { probeStorageCalls, readTokenStorage, type TokenStorage } from './probe-storage-layout.ts';

/** How tokens keep balances and allowances, asked once for each token. */
export type StorageLayouts = {
  find(
    token: Address,
    options: { readonly sender: Address; readonly block: Block; readonly signal: AbortSignal },
  ): Promise<TokenStorage>;
};

// Layouts are a few bytes each; more tokens than this are not asked for in a day.
const layoutsKept = swapLimits.layoutsKept.value;

/** Finds where a token stores the allowance of `spender`, a router, and the sender's balance. */
export function createStorageLayouts(
  reader: Pick<ChainReader, 'call'>,
  spender: Address,
): StorageLayouts {
  const layouts = createBoundedMap<Address, TokenStorage>(layoutsKept);
  return {
    async find(token, { sender, block, signal }) {
      const known = layouts.get(token);
      if (known !== undefined) return known;
      const calls = probeStorageCalls(token, sender, spender);
      const storage = await readCalls(reader, calls, { block, signal, decode: readTokenStorage });
      layouts.set(token, storage);
      return storage;
    },
  };
}
