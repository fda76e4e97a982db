/** What somebody was last told of a pair: JSON to keep, and to hand back to the price source. */
export type ToldPrice = {
  readonly amountIn: string;
  readonly amountOut: string;
  readonly route: string;
  readonly priceToldAt: number;
  readonly routeToldAt: number;
};
