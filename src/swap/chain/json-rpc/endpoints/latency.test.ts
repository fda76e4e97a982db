import { expect, it } from 'vitest';
import { hedgeDelay, type Latency, observeLatency } from './latency.ts';

const after = (...samples: number[]) =>
  samples.reduce<Latency | undefined>(observeLatency, undefined);

it('waits half a second for an endpoint it does not know', () => {
  expect(hedgeDelay(undefined)).toBe(500);
});

it('waits three times the first answer, as RFC 6298 does', () => {
  expect(hedgeDelay(after(100))).toBe(300);
});

it('comes close to the usual time of a steady endpoint', () => {
  expect(hedgeDelay(after(...Array<number>(50).fill(100)))).toBeCloseTo(100, 0);
});

it('waits longer for an endpoint that varies', () => {
  expect(hedgeDelay(after(100, 300, 100, 300))).toBeGreaterThan(
    hedgeDelay(after(200, 200, 200, 200)),
  );
});

it('waits at least 30 ms and at most 2 s', () => {
  expect(hedgeDelay(after(1))).toBe(30);
  expect(hedgeDelay(after(60_000))).toBe(2_000);
});
