import type { Block } from '../chain/chain-reader.ts';
import type { Address } from '../model.ts';
import type { PoolId } from '../pools/pool.ts';
import type { QuoteChain } from '../quote/quote-chain.ts';
import type { RoutedChoice } from '../quote/search/choose-route.ts';
import { searchDeepEnough } from '../quote/search/search-deep-enough.ts';
import { swapPrice } from '../quote/swap-price.ts';
import { isNative, swapSides } from '../quote/swap-sides.ts';

/** What is exchanged for what. Without an amount it is one whole unit of `tokenIn`. */
export type WatchedPair = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amount?: bigint | undefined;
};

/** What a pair is worth at one block. Where no route exists, `amountOut` is 0 and the route empty. */
export type PriceReading = {
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Whole units of the output for one whole unit of the input. */
  readonly price: number;
  /** The pools of each path in order, the paths in the order of their ids. */
  readonly route: readonly (readonly PoolId[])[];
};

/**
 * Prices a pair at a block with the search that quotes use, without trying a transaction: taxes that
 * a token takes on transfer are not seen. Undefined where one of the two is no token on this chain.
 * Throws `UPSTREAM_ERROR` when the chain cannot be read.
 */
export async function readPrice(
  pair: WatchedPair,
  { chain, block, signal }: { chain: QuoteChain; block: Block; signal: AbortSignal },
): Promise<PriceReading | undefined> {
  const { deployment } = chain;
  const sides = swapSides(deployment, pair);
  const wanted = { sides, isFresh: false, at: block, signal };
  const market = await chain.readMarket(wanted);
  const decimalsOf = (named: Address, token: Address) =>
    isNative(named) ? 18 : market.tokens.get(token)?.decimals;
  const decimalsIn = decimalsOf(pair.tokenIn, sides.tokenIn);
  const decimalsOut = decimalsOf(pair.tokenOut, sides.tokenOut);
  if (decimalsIn === undefined || decimalsOut === undefined) return undefined;
  const amountIn = pair.amount ?? 10n ** BigInt(decimalsIn);
  const found = { blockNumber: block.number, blockHash: block.hash, amountIn };
  // The native token and its wrapped form are the same thing.
  if (sides.tokenIn === sides.tokenOut) {
    return { ...found, amountOut: amountIn, price: 1, route: [] };
  }
  const { choice } = await searchDeepEnough(
    {
      deployment,
      market,
      tokenIn: sides.tokenIn,
      tokenOut: sides.tokenOut,
      amountIn,
      gasPrice: block.gasPrice,
    },
    { chain, signal, readAgain: (reaches) => chain.readMarket({ ...wanted, reaches }) },
  );
  if (choice === undefined) return { ...found, amountOut: 0n, price: 0, route: [] };
  const { route } = choice;
  return {
    ...found,
    amountIn: route.amountIn,
    amountOut: route.amountOut,
    price: swapPrice(
      { amount: route.amountIn, decimals: decimalsIn },
      { amount: route.amountOut, decimals: decimalsOut },
    ),
    route: poolsOf(choice),
  };
}

function poolsOf({ route }: RoutedChoice): PoolId[][] {
  const paths = route.paths.map(({ hops }) => hops.map(({ pool }) => pool.id));
  return paths.sort((a, b) => (a.join() < b.join() ? -1 : 1));
}
