import type { Address } from '../address.ts';
import type { BlockReference, ChainReader } from '../chain/chain-reader.ts';
import type { TokenInfo } from '../quote/quote.ts';
import { readTokens } from './read-tokens.ts';

/** Where what is known of tokens outlives the process. */
export type TokenStore = {
  load(tokens: readonly Address[]): Promise<readonly TokenInfo[]>;
  save(infos: readonly TokenInfo[]): Promise<void>;
};

export type TokenDirectory = {
  /** What is known of the tokens, read from the chain where it is not; what is no token is left out. */
  describe(
    tokens: readonly Address[],
    at: { readonly block: BlockReference; readonly signal?: AbortSignal },
  ): Promise<ReadonlyMap<Address, TokenInfo>>;
};

export type TokenDirectoryOptions = {
  readonly reader: Pick<ChainReader, 'call'>;
  /** Absent for a chain that begins anew with each start: nothing stored of it may be believed. */
  readonly store?: TokenStore;
  /** How many tokens are kept in memory; the one not asked for the longest goes first. */
  readonly capacity: number;
};

/** The metadata of a chain's tokens, which never changes: from memory, else the store, else the chain. */
export function createTokenDirectory({
  reader,
  store,
  capacity,
}: TokenDirectoryOptions): TokenDirectory {
  const known = new Map<Address, TokenInfo>();

  function remember(infos: Iterable<TokenInfo>): void {
    for (const info of infos) {
      known.delete(info.address);
      known.set(info.address, info);
    }
    for (const address of known.keys()) {
      if (known.size <= capacity) return;
      known.delete(address);
    }
  }

  return {
    async describe(tokens, at) {
      const isMissing = (token: Address) => !known.has(token);
      const wanted = [...new Set(tokens)];
      const unremembered = wanted.filter(isMissing);
      const found = new Map(
        wanted.flatMap((token) => known.get(token) ?? []).map((info) => [info.address, info]),
      );
      if (unremembered.length > 0) {
        const stored = (await store?.load(unremembered)) ?? [];
        const unknown = unremembered.filter(
          (token) => !stored.some(({ address }) => address === token),
        );
        const read =
          unknown.length === 0
            ? []
            : [...(await readTokens(reader, { tokens: unknown, ...at })).values()];
        if (read.length > 0) await store?.save(read);
        for (const info of [...stored, ...read]) found.set(info.address, info);
      }
      remember(found.values());
      return found;
    },
  };
}
