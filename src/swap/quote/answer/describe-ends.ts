import { SwapError } from '../../model.ts';
import type { Market } from '../market/market.ts';
import type { PriceRequest, UnroutedQuote } from '../quote.ts';
import type { QuoteChain } from '../quote-chain.ts';
import { isNative, nativeTokenMetadata, type SwapSides } from '../swap-sides.ts';

/** What every answer says about its two tokens, its block and the chain's endpoints. Throws `INVALID_PARAMS`. */
export function describeEnds(
  { tokenIn, tokenOut }: Pick<PriceRequest, 'tokenIn' | 'tokenOut'>,
  { chain, market, sides }: { chain: QuoteChain; market: Market; sides: SwapSides },
): Omit<UnroutedQuote, 'status' | 'reason'> {
  const native = nativeTokenMetadata(chain.deployment);
  return {
    tokenFrom: isNative(tokenIn) ? native : tokenOf(market, sides.tokenIn),
    tokenTo: isNative(tokenOut) ? native : tokenOf(market, sides.tokenOut),
    blockNumber: market.block.number,
    rpcUrls: chain.rpcUrls(),
  };
}

function tokenOf(market: Market, address: SwapSides['tokenIn']) {
  const token = market.tokens.get(address);
  if (token !== undefined) return token;
  throw new SwapError(
    'INVALID_PARAMS',
    `${address} is not a token on this chain: no contract there answers decimals().`,
    { details: { token: address } },
  );
}
