import { z } from 'zod';
import { isOpenUrl } from './is-open-url.ts';
import { normalizeUrl } from './normalize-url.ts';

/** Enough to choose five from, for chains that name a hundred. */
const mostPerChain = 40;

const chainList = z.array(z.object({ chainId: z.int().positive(), rpc: z.array(z.string()) }));

/**
 * The open endpoints in a list of chains as published at chainid.network, by chain id. Throws zod's
 * error for a text that is no such list.
 */
export function parseChainList(json: unknown): ReadonlyMap<number, readonly string[]> {
  const open = chainList.parse(json).map(({ chainId, rpc }) => {
    const urls = new Set(rpc.filter(isOpenUrl).map(normalizeUrl));
    return [chainId, [...urls].slice(0, mostPerChain)] as const;
  });
  return new Map(open);
}
