/** What was last reported about a pair: stored as JSON, and given back to the price source. */
export type ReportedPrice = {
  readonly amountIn: string;
  readonly amountOut: string;
  readonly route: string;
  readonly priceReportedAt: number;
  readonly routeReportedAt: number;
};
