import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createHistogram, type Histogram, type HistogramOptions } from './histogram.ts';
import type { MetricOptions } from './metric-options.ts';

export type GaugeOptions<Label extends string> = MetricOptions<Label> & {
  readonly collect?: (gauge: Gauge<Label>) => void | Promise<void>;
};

/** The product's figures for operators, one registry a process. */
export type Metrics = {
  counter<Label extends string = never>(options: MetricOptions<Label>): Counter<Label>;
  /** `collect` is called whenever the page is read. */
  gauge<Label extends string = never>(options: GaugeOptions<Label>): Gauge<Label>;
  histogram<Label extends string = never>(options: HistogramOptions<Label>): Histogram<Label>;
  /** The page that Prometheus reads. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>;
};

/**
 * How often the delay of the event loop is sampled, in milliseconds. Every sample wakes the process; with the default
 * of 10 an idle server did hardly anything else. The delays that matter are those of a quarter of a second.
 */
const eventLoopMonitoringPrecision = 100;

/**
 * Makes a registry. With `ofProcess` it also reports memory, processor time and event loop of the process. Do that
 * once per process, since the monitor of the loop wakes it for as long as the process runs.
 */
export function createMetrics({ ofProcess = false } = {}): Metrics {
  const registry = new Registry();
  const histograms: Array<{ write(): string }> = [];
  if (ofProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  const common = <Label extends string>({ name, help, labels = [] }: MetricOptions<Label>) => ({
    name: nameOf(name),
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
    histogram: (options) => {
      const histogram = createHistogram({ ...options, name: nameOf(options.name) });
      histograms.push(histogram);
      return histogram;
    },
    expose: async () => ({ contentType: registry.contentType, body: await writeAll() }),
  };

  async function writeAll(): Promise<string> {
    const others = registry.getMetricsAsArray().length === 0 ? [] : [await registry.metrics()];
    return [...others, ...histograms.map((histogram) => `${histogram.write()}\n`)].join('\n');
  }
}

function nameOf(name: string): string {
  return `tradewind_${name}`;
}
