import { describe, expect, it } from 'vitest';
import { parseAddress } from '../address.ts';
import { judgeReading, type ToldPrice, type WatchTerms } from './judge-reading.ts';
import type { PriceReading } from './price-reading.ts';

const poolA = parseAddress(`0x${'a'.repeat(40)}`);
const poolB = parseAddress(`0x${'b'.repeat(40)}`);

function reading(amountOut: bigint, route = [[poolA]], amountIn = 1_000n): PriceReading {
  return { blockNumber: 7n, blockHash: '0x7', amountIn, amountOut, price: 1, route };
}

function judge(
  next: PriceReading,
  { told, now = 0, ...terms }: Partial<WatchTerms> & { told?: ToldPrice; now?: number } = {},
) {
  return judgeReading(next, { told, now, terms: { thresholdBps: 100, ...terms } });
}

const { told: begun } = judge(reading(100_000n));

describe('a watched price [E14.12]', () => {
  it('begins with what is read first, and tells nothing of it', () => {
    expect(judge(reading(100_000n))).toEqual({
      kinds: [],
      told: {
        amountIn: '1000',
        amountOut: '100000',
        route: poolA,
        priceToldAt: 0,
        routeToldAt: 0,
      },
    });
  });

  it.each([
    [101_000n, []],
    [101_001n, ['price']],
    [99_000n, []],
    [98_999n, ['price']],
    [0n, ['price']],
  ])('at %d instead of 100000 tells %j at a threshold of one percent', (amountOut, kinds) => {
    expect(judge(reading(amountOut), { told: begun }).kinds).toEqual(kinds);
  });

  it('is measured from what was told, so that small steps add up', () => {
    const step = judge(reading(100_600n), { told: begun });
    expect(step).toEqual({ kinds: [], told: begun });
    expect(judge(reading(101_200n), { told: step.told }).kinds).toEqual(['price']);
  });

  it('counts from the new price once that was told', () => {
    const { told } = judge(reading(102_000n), { told: begun, now: 5 });
    expect(told).toMatchObject({ amountOut: '102000', priceToldAt: 5 });
    expect(judge(reading(101_500n), { told }).kinds).toEqual([]);
  });

  it('is that of a unit where only a part of the amount finds a market', () => {
    expect(judge(reading(50_000n, [[poolA]], 500n), { told: begun }).kinds).toEqual([]);
  });

  it('tells every difference at a threshold of zero, and no difference never', () => {
    expect(judge(reading(100_001n), { told: begun, thresholdBps: 0 }).kinds).toEqual(['price']);
    expect(judge(reading(100_000n), { told: begun, thresholdBps: 0 }).kinds).toEqual([]);
  });

  it('comes back from nothing', () => {
    const { told } = judge(reading(0n, []), { told: begun });
    expect(judge(reading(5n), { told }).kinds).toEqual(['price', 'route']);
  });
});

describe('a watched route [E14.12]', () => {
  it('has changed when it passes other pools', () => {
    const changed = judge(reading(100_000n, [[poolA], [poolB]]), { told: begun });
    expect(changed.kinds).toEqual(['route']);
    expect(changed.told).toMatchObject({ route: `${poolA} ${poolB}`, amountOut: '100000' });
  });

  it('is told only to those who want it', () => {
    const next = reading(200_000n, [[poolB]]);
    expect(judge(next, { told: begun, kinds: ['price'] }).kinds).toEqual(['price']);
    expect(judge(next, { told: begun, kinds: ['route'] }).kinds).toEqual(['route']);
  });
});

describe('the interval [E14.12]', () => {
  it('puts a change off, and does not lose it', () => {
    const first = judge(reading(102_000n), { told: begun, intervalSeconds: 60, now: 100_000 });
    expect(first.kinds).toEqual(['price']);
    const soon = { told: first.told, intervalSeconds: 60, now: 159_999 };
    expect(judge(reading(105_000n), soon)).toEqual({ kinds: [], told: first.told });
    expect(judge(reading(105_000n), { ...soon, now: 160_000 }).kinds).toEqual(['price']);
  });
});
