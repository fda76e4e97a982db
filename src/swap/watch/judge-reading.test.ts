import { describe, expect, it } from 'vitest';
import { parseAddress } from '../model.ts';
import { poolId } from '../pools/pool.ts';
import { judgeReading, type ReportedPrice, type WatchTerms } from './judge-reading.ts';
import type { PriceReading } from './price-reading.ts';

const poolA = poolId(parseAddress(`0x${'a'.repeat(40)}`));
const poolB = poolId(parseAddress(`0x${'b'.repeat(40)}`));

function reading(amountOut: bigint, route = [[poolA]], amountIn = 1_000n): PriceReading {
  return { blockNumber: 7n, blockHash: '0x7', amountIn, amountOut, price: 1, route };
}

function judge(
  next: PriceReading,
  {
    lastReported,
    now = 0,
    ...terms
  }: Partial<WatchTerms> & { lastReported?: ReportedPrice; now?: number } = {},
) {
  return judgeReading(next, { lastReported, now, terms: { thresholdBps: 100, ...terms } });
}

const { lastReported: begun } = judge(reading(100_000n));

describe('a watched price [E14.12]', () => {
  it('starts from the first reading without reporting it', () => {
    expect(judge(reading(100_000n))).toEqual({
      kinds: [],
      lastReported: {
        amountIn: '1000',
        amountOut: '100000',
        route: poolA,
        priceReportedAt: 0,
        routeReportedAt: 0,
      },
    });
  });

  it.each([
    [101_000n, []],
    [101_001n, ['price']],
    [99_000n, []],
    [98_999n, ['price']],
    [0n, ['price']],
  ])('at %d instead of 100000 reports %j at a threshold of one percent', (amountOut, kinds) => {
    expect(judge(reading(amountOut), { lastReported: begun }).kinds).toEqual(kinds);
  });

  it('is compared with the last reported price, so that small steps add up', () => {
    const step = judge(reading(100_600n), { lastReported: begun });
    expect(step).toEqual({ kinds: [], lastReported: begun });
    expect(judge(reading(101_200n), { lastReported: step.lastReported }).kinds).toEqual(['price']);
  });

  it('is compared with the new price once that was reported', () => {
    const { lastReported } = judge(reading(102_000n), { lastReported: begun, now: 5 });
    expect(lastReported).toMatchObject({ amountOut: '102000', priceReportedAt: 5 });
    expect(judge(reading(101_500n), { lastReported }).kinds).toEqual([]);
  });

  it('is per unit where only a part of the amount can be traded', () => {
    expect(judge(reading(50_000n, [[poolA]], 500n), { lastReported: begun }).kinds).toEqual([]);
  });

  it('is reported at any difference with a threshold of zero, and never without a difference', () => {
    expect(judge(reading(100_001n), { lastReported: begun, thresholdBps: 0 }).kinds).toEqual([
      'price',
    ]);
    expect(judge(reading(100_000n), { lastReported: begun, thresholdBps: 0 }).kinds).toEqual([]);
  });

  it('is reported when it returns after there was none', () => {
    const { lastReported } = judge(reading(0n, []), { lastReported: begun });
    expect(judge(reading(5n), { lastReported }).kinds).toEqual(['price', 'route']);
  });
});

describe('a watched route [E14.12]', () => {
  it('has changed when it passes other pools', () => {
    const changed = judge(reading(100_000n, [[poolA], [poolB]]), { lastReported: begun });
    expect(changed.kinds).toEqual(['route']);
    expect(changed.lastReported).toMatchObject({ route: `${poolA} ${poolB}`, amountOut: '100000' });
  });

  it('is reported only to subscriptions to its type', () => {
    const next = reading(200_000n, [[poolB]]);
    expect(judge(next, { lastReported: begun, kinds: ['price'] }).kinds).toEqual(['price']);
    expect(judge(next, { lastReported: begun, kinds: ['route'] }).kinds).toEqual(['route']);
  });
});

describe('the interval [E14.12]', () => {
  it('puts a change off, and does not lose it', () => {
    const first = judge(reading(102_000n), {
      lastReported: begun,
      intervalSeconds: 60,
      now: 100_000,
    });
    expect(first.kinds).toEqual(['price']);
    const soon = { lastReported: first.lastReported, intervalSeconds: 60, now: 159_999 };
    expect(judge(reading(105_000n), soon)).toEqual({ kinds: [], lastReported: first.lastReported });
    expect(judge(reading(105_000n), { ...soon, now: 160_000 }).kinds).toEqual(['price']);
  });
});
