import { SwapError } from './model/swap-error.ts';

/** The served chain of this id. Throws `UNSUPPORTED_CHAIN`, with the served chains in its details. */
export function findServedChain<Chain>(chains: ReadonlyMap<number, Chain>, chainId: number): Chain {
  const chain = chains.get(chainId);
  if (chain !== undefined) return chain;
  throw new SwapError(
    'UNSUPPORTED_CHAIN',
    `Chain ${chainId} is not served here: GET /v1/chains (tradewind chains) lists those that are.`,
    { details: { chainId, servedChains: [...chains.keys()] } },
  );
}
