import type { MetricOptions } from './metric-options.ts';

export type HistogramOptions<Label extends string> = MetricOptions<Label> & {
  /** The upper bounds of the ranges in which values are counted, in ascending order. */
  readonly buckets: readonly number[];
};

type Labels<Label extends string> = Readonly<Record<Label, string | number>>;

/** The values that have the same labels. */
export type Series = { observe(value: number): void };

/** Counts values in ranges, by their labels. */
export type Histogram<Label extends string> = {
  /** The series of these labels. It is made when it is asked for the first time. */
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
export function createHistogram<Label extends string>({
  name,
  help,
  labels: names = [],
  buckets,
}: HistogramOptions<Label>): Histogram<Label> & { write(): string } {
  const root: Branch = { inner: new Map() };
  const all: WrittenSeries[] = [];
  return {
    series(labels) {
      let branch = root;
      for (const label of names) branch = branchAt(branch, labels[label]);
      branch.series ??= createSeries(labels);
      return branch.series;
    },
    write: () =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} histogram`,
        ...all.flatMap((series) => series.write()),
      ].join('\n'),
  };

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
