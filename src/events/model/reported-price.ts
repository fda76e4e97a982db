/** What was last reported of a pair: JSON to keep, and to hand back to the price source. */
export type ReportedPrice = {
  readonly amountIn: string;
  readonly amountOut: string;
  readonly route: string;
  readonly priceReportedAt: number;
  readonly routeReportedAt: number;
};
