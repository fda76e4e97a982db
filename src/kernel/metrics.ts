import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Names follow the Prometheus conventions; the prefix `tradewind_` is added here. */
export type MetricOptions<Label extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
};

export type GaugeOptions<Label extends string> = MetricOptions<Label> & {
  readonly collect?: (gauge: Gauge<Label>) => void | Promise<void>;
};

/** The product's figures for operators, one registry a process. */
export type Metrics = {
  counter<Label extends string = never>(options: MetricOptions<Label>): Counter<Label>;
  /** `collect` is called whenever the page is read. */
  gauge<Label extends string = never>(options: GaugeOptions<Label>): Gauge<Label>;
  histogram<Label extends string = never>(
    options: MetricOptions<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label>;
  /** The page that Prometheus reads. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>;
};

/**
 * How often the delay of the event loop is sampled, in milliseconds. Every sample wakes the process; with the default
 * of 10 an idle server did hardly anything else. The delays that matter are those of a quarter of a second.
 */
const eventLoopMonitoringPrecision = 50;

/**
 * Makes a registry. With `ofProcess` it also reports memory, processor time and event loop of the process. Do that
 * once per process, since the monitor of the loop wakes it for as long as the process runs.
 */
export function createMetrics({ ofProcess = false } = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  const common = <Label extends string>({ name, help, labels = [] }: MetricOptions<Label>) => ({
    name: `tradewind_${name}`,
    help,
    labelNames: labels,
    registers: [registry],
  });
  return {
    counter: (options) => new Counter(common(options)),
    gauge: <Label extends string>({ collect, ...options }: GaugeOptions<Label>) => {
      const gauge: Gauge<Label> = new Gauge({
        ...common(options),
        collect: (): void | Promise<void> => collect?.(gauge),
      });
      return gauge;
    },
    histogram: (options) => new Histogram({ ...common(options), buckets: [...options.buckets] }),
    expose: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
