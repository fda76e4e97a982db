/** A path as the price impact sees it: what part of the input it takes, and the mid price of each pool. */
export type PricedPath = { readonly share: number; readonly midPrices: readonly number[] };

/**
 * One minus execution price over mid price [Q4]: positive when the trade moves the price against the
 * sender, fees included. The mid price of a route is the mean over its paths, weighed by their shares.
 * `executionPrice` is in smallest units.
 */
export function priceImpact(executionPrice: number, paths: readonly PricedPath[]): number {
  const mid = paths.reduce(
    (sum, { share, midPrices }) =>
      sum + share * midPrices.reduce((product, price) => product * price, 1),
    0,
  );
  return 1 - executionPrice / mid;
}
