import type { PriceReading } from './price-reading.ts';

export const changeKinds = ['price', 'route'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** When a change counts. */
export type WatchTerms = {
  /** A price has moved once it differs from the told one by more than this many hundredths of a percent. */
  readonly thresholdBps: number;
  /** The shortest time between two changes of one kind that are told. */
  readonly intervalSeconds?: number | undefined;
  /** Both, if not said otherwise. */
  readonly kinds?: readonly ChangeKind[] | undefined;
};

/** What somebody was last told of a pair, in a form that JSON can keep. */
export type ToldPrice = {
  readonly amountIn: string;
  readonly amountOut: string;
  readonly route: string;
  readonly priceToldAt: number;
  readonly routeToldAt: number;
};

export type Judgement = { readonly kinds: readonly ChangeKind[]; readonly told: ToldPrice };

/**
 * Decides which changes of a pair are to be told, and what counts as told afterwards (E14.12). The
 * first reading is where counting begins: it is told as no change. A change that comes too soon after
 * the one before stays due, since it is measured from what was told.
 */
export function judgeReading(
  reading: PriceReading,
  { told, terms, now }: { told: ToldPrice | undefined; terms: WatchTerms; now: number },
): Judgement {
  const amountIn = String(reading.amountIn);
  const amountOut = String(reading.amountOut);
  const route = routeText(reading);
  if (told === undefined) {
    return { kinds: [], told: { amountIn, amountOut, route, priceToldAt: 0, routeToldAt: 0 } };
  }
  const { thresholdBps, intervalSeconds = 0, kinds: wanted = changeKinds } = terms;
  const isDue = (toldAt: number) => now - toldAt >= intervalSeconds * 1_000;
  const kinds: ChangeKind[] = [];
  let next = told;
  if (
    wanted.includes('price') &&
    isDue(told.priceToldAt) &&
    hasMoved(told, reading, thresholdBps)
  ) {
    kinds.push('price');
    next = { ...next, amountIn, amountOut, priceToldAt: now };
  }
  if (wanted.includes('route') && isDue(told.routeToldAt) && route !== told.route) {
    kinds.push('route');
    next = { ...next, route, routeToldAt: now };
  }
  return { kinds, told: next };
}

/** Compares the two quotients over their common denominator, so that nothing is rounded. */
function hasMoved(told: ToldPrice, reading: PriceReading, thresholdBps: number): boolean {
  const before = BigInt(told.amountOut) * reading.amountIn;
  const after = reading.amountOut * BigInt(told.amountIn);
  const difference = after > before ? after - before : before - after;
  return difference * 10_000n > before * BigInt(thresholdBps);
}

function routeText({ route }: PriceReading): string {
  return route.map((pools) => pools.join('>')).join(' ');
}
