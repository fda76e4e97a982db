import type { PriceReading } from './price-reading.ts';

export const changeKinds = ['price', 'route'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** When a change counts. */
export type WatchTerms = {
  /** A price has moved once it differs from the reported one by more than this many basis points. */
  readonly thresholdBps: number;
  /** The shortest time between two changes of one kind that are reported. */
  readonly intervalSeconds?: number | undefined;
  /** Both by default. */
  readonly kinds?: readonly ChangeKind[] | undefined;
};

/** What was last reported of a pair, in a form that JSON can keep. */
export type ReportedPrice = {
  readonly amountIn: string;
  readonly amountOut: string;
  readonly route: string;
  readonly priceReportedAt: number;
  readonly routeReportedAt: number;
};

export type Judgement = {
  readonly kinds: readonly ChangeKind[];
  readonly lastReported: ReportedPrice;
};

/**
 * Decides which changes of a pair to report, and what counts as reported afterwards (E14.12). The first reading
 * is the baseline and counts as no change. A change that comes too soon after the one before stays due, since
 * it is measured from what was reported.
 */
export function judgeReading(
  reading: PriceReading,
  {
    lastReported,
    terms,
    now,
  }: { lastReported: ReportedPrice | undefined; terms: WatchTerms; now: number },
): Judgement {
  const amountIn = String(reading.amountIn);
  const amountOut = String(reading.amountOut);
  const route = routeText(reading);
  if (lastReported === undefined) {
    return {
      kinds: [],
      lastReported: { amountIn, amountOut, route, priceReportedAt: 0, routeReportedAt: 0 },
    };
  }
  const { thresholdBps, intervalSeconds = 0, kinds: wanted = changeKinds } = terms;
  const isDue = (reportedAt: number) => now - reportedAt >= intervalSeconds * 1_000;
  const kinds: ChangeKind[] = [];
  let next = lastReported;
  if (
    wanted.includes('price') &&
    isDue(lastReported.priceReportedAt) &&
    hasMoved(lastReported, reading, thresholdBps)
  ) {
    kinds.push('price');
    next = { ...next, amountIn, amountOut, priceReportedAt: now };
  }
  if (
    wanted.includes('route') &&
    isDue(lastReported.routeReportedAt) &&
    route !== lastReported.route
  ) {
    kinds.push('route');
    next = { ...next, route, routeReportedAt: now };
  }
  return { kinds, lastReported: next };
}

/** Compares the two quotients over their common denominator, so that nothing is rounded. */
function hasMoved(
  lastReported: ReportedPrice,
  reading: PriceReading,
  thresholdBps: number,
): boolean {
  const before = BigInt(lastReported.amountOut) * reading.amountIn;
  const after = reading.amountOut * BigInt(lastReported.amountIn);
  const difference = after > before ? after - before : before - after;
  return difference * 10_000n > before * BigInt(thresholdBps);
}

function routeText({ route }: PriceReading): string {
  return route.map((pools) => pools.join('>')).join(' ');
}
