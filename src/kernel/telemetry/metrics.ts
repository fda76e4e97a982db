import { collectDefaultMetrics, Gauge, Counter as PromCounter, Registry } from 'prom-client';

type GaugeOptions<Label extends string> = MetricOptions<Label> & {
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
    counter: (options) => new Counter(new PromCounter(common(options)), options.labels ?? []),
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

/** Bounds of what is measured. */
export const metricLimits = {
  series: {
    value: 1_000,
    unit: 'stored',
    per: 'process',
    meaning:
      'Combinations of labels of one metric; those beyond are counted together, with `other` for each label.',
  },
} as const;

const mostSeries = metricLimits.series.value;

/** What counts beyond {@link mostSeries}: labels never make memory and the page grow without end (F76). */
function otherLabels<Label extends string>(names: readonly Label[]): Labels<Label> {
  // Each name is given, which the type of `fromEntries` does not say.
  return Object.fromEntries(names.map((name) => [name, 'other'])) as Record<Label, string>;
}

/** Names follow the Prometheus conventions; the prefix `tradewind_` is added by the registry. */
type MetricOptions<Label extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
};

type HistogramOptions<Label extends string> = MetricOptions<Label> & {
  /** The upper bounds of the ranges in which values are counted, in ascending order. */
  readonly buckets: readonly number[];
};

type Labels<Label extends string> = Readonly<Record<Label, string | number>>;

/** Counts events by their labels; those beyond {@link mostSeries} together. */
class Counter<Label extends string> {
  readonly #counter: PromCounter<Label>;
  readonly #names: readonly Label[];
  readonly #known = new Set<string>();

  constructor(counter: PromCounter<Label>, names: readonly Label[]) {
    this.#counter = counter;
    this.#names = names;
  }

  inc(labels?: Labels<Label>): void {
    if (labels === undefined) {
      this.#counter.inc();
      return;
    }
    const key = JSON.stringify(this.#names.map((name) => labels[name]));
    const isCounted = this.#known.has(key) || this.#known.size < mostSeries;
    if (isCounted) this.#known.add(key);
    this.#counter.inc(isCounted ? labels : otherLabels(this.#names));
  }
}

/** The values that have the same labels. */
export type Series = { observe(value: number): void };

/** Counts values in ranges, by their labels. */
type Histogram<Label extends string> = {
  /** The series of these labels, made when it is asked for the first time; beyond {@link mostSeries} that of all others. */
  series(labels: Labels<Label>): Series;
};

/** The series that have the same values for the first labels. */
type Branch = { readonly inner: Map<string | number, Branch>; series?: WrittenSeries };
type WrittenSeries = Series & { write(): string[] };

/**
 * Makes a histogram, and a function that writes it for Prometheus. Each request and each statement is observed; to find
 * its series label by label takes a fraction of the time in which prom-client checks and hashes all labels
 * (bench/results/authorization.md).
 */
function createHistogram<Label extends string>({
  name,
  help,
  labels: names = [],
  buckets,
}: HistogramOptions<Label>): Histogram<Label> & { write(): string } {
  const root: Branch = { inner: new Map() };
  const all: WrittenSeries[] = [];
  let others: WrittenSeries | undefined;
  return {
    series(labels) {
      let known: Branch | undefined = root;
      for (const label of names) known = known?.inner.get(labels[label]);
      return known?.series ?? addSeries(labels);
    },
    write: () =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} histogram`,
        ...all.flatMap((series) => series.write()),
      ].join('\n'),
  };

  function addSeries(labels: Labels<Label>): WrittenSeries {
    if (all.length >= mostSeries) {
      others ??= createSeries(otherLabels(names));
      return others;
    }
    let branch = root;
    for (const label of names) branch = branchAt(branch, labels[label]);
    branch.series = createSeries(labels);
    return branch.series;
  }

  function createSeries(labels: Labels<Label>): WrittenSeries {
    const counts = [...buckets, Number.POSITIVE_INFINITY].map(() => 0);
    let sum = 0;
    const shared = names.map((label) => `${label}="${escapeLabel(String(labels[label]))}"`);
    const series: WrittenSeries = {
      observe(value) {
        let index = 0;
        while (value > (buckets[index] ?? Number.POSITIVE_INFINITY)) index += 1;
        counts[index] = (counts[index] ?? 0) + 1;
        sum += value;
      },
      write() {
        let total = 0;
        const ranges = counts.map((count, index) => {
          total += count;
          const bound = `le="${buckets[index] ?? '+Inf'}"`;
          return `${name}_bucket{${[bound, ...shared].join(',')}} ${total}`;
        });
        const common = shared.length === 0 ? '' : `{${shared.join(',')}}`;
        return [...ranges, `${name}_sum${common} ${sum}`, `${name}_count${common} ${total}`];
      },
    };
    all.push(series);
    return series;
  }
}

function branchAt({ inner }: Branch, value: string | number): Branch {
  const known = inner.get(value);
  if (known !== undefined) return known;
  const branch: Branch = { inner: new Map() };
  inner.set(value, branch);
  return branch;
}

function escapeLabel(value: string): string {
  return value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n');
}

/** The part of the process that a fault came from. */
export type FaultyPart = 'request' | 'answer' | 'unread' | 'connection' | 'heartbeat' | 'process';

/** Told of an error that nothing handled before the last catch (N15). Never throws. */
export type ReportFault = (error: unknown, part: FaultyPart) => void;

/** Counts and logs faults. */
export function reportFaults(options: {
  readonly metrics: Pick<Metrics, 'counter'>;
  readonly logger: { error(facts: object, message: string): void };
}): ReportFault {
  const faults = options.metrics.counter({
    name: 'faults_total',
    help: 'Errors that nothing handled before the last catch, by the part they came from: each is a bug.',
    labels: ['part'],
  });
  return (error, part) => {
    faults.inc({ part });
    options.logger.error({ err: error, part }, 'fault: nothing handled this error');
  };
}
