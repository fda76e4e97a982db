import type { PermitPlan } from '../permit.ts';
import type { Market } from './market/market.ts';
import { refuse } from './market/narrow-market.ts';
import type { QuoteRequest } from './quote.ts';
import type { QuoteChain } from './quote-chain.ts';
import type { SwapSides } from './swap-sides.ts';

/**
 * How the sender can allow the input by a signature, if the request asks for that [Q29]. Undefined if nothing needs to
 * be allowed, or for `auto` if neither the token nor the chain supports it: then an approval does it. Throws
 * `INVALID_PARAMS` for a requested kind that is not supported.
 */
export async function planPermit(
  { permit }: Pick<QuoteRequest, 'permit'>,
  options: {
    readonly chain: QuoteChain;
    readonly market: Market;
    readonly sides: SwapSides;
    readonly signal: AbortSignal;
  },
): Promise<PermitPlan | undefined> {
  const { chain, market, sides, signal } = options;
  if (permit === undefined || sides.isNativeIn) return undefined;
  const kind = permit === 'auto' ? undefined : permit;
  const plan = await chain.findPermit(sides.tokenIn, { kind, block: market.block, signal });
  if (plan === undefined && kind !== undefined) {
    refuse(
      'permit',
      kind === 'eip2612'
        ? 'is eip2612, which tokenIn does not support: name permit2 or auto, or leave it out'
        : 'is permit2, which this chain does not have: name eip2612 or auto, or leave it out',
    );
  }
  return plan;
}
