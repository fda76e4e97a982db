/**
 * One minus execution price over mid price [Q4, Q30]: positive when the sender gets less than the mid price, fees
 * included. The mid price is that of the best route for a vanishing amount, whatever the amount of the trade, so that the
 * impact never falls as the amount grows. Zero for a trade so small that dust pools, which set no mid price, give it a
 * better one. Both prices are in smallest units.
 */
export function priceImpact(executionPrice: number, midPrice: number): number {
  return Math.max(0, 1 - executionPrice / midPrice);
}
