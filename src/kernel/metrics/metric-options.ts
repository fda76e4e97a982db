/** Names follow the Prometheus conventions; the prefix `tradewind_` is added by the registry. */
export type MetricOptions<Label extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
};
