import { expect, it } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  hedgeDelay,
  isBanned,
  type Latency,
  observeLatency,
  unknownHealth,
} from './endpoint.ts';
import type { EndpointFailure } from './rpc-failures.ts';

const broken: EndpointFailure = { reason: 'connection', message: 'no answer' };
const limited: EndpointFailure = { reason: 'rate-limited', message: 'slow down' };

it('leaves an endpoint out twice as long with each failure in a row, up to a minute', () => {
  let health = unknownHealth;
  const leaves: number[] = [];
  for (let failure = 0; failure < 8; failure += 1) {
    health = afterFailure(health, broken, 0);
    leaves.push(health.leftOutUntil);
  }
  expect(leaves).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

it('resets all failures after one success', () => {
  const failed = afterFailure(afterFailure(unknownHealth, broken, 0), broken, 0);
  expect(afterSuccess(failed, 40)).toMatchObject({ failures: 0, leftOutUntil: 0 });
});

it('keeps an endpoint that does not know a block yet', () => {
  const health = afterFailure(unknownHealth, { reason: 'unknown-block', message: '' }, 5);
  expect(health).toMatchObject({ failures: 0, leftOutUntil: 0 });
});

it('keeps an endpoint that refuses a request, until it has refused three in a row', () => {
  const refusal: EndpointFailure = { reason: 'error', message: 'no such method' };
  const once = afterFailure(unknownHealth, refusal, 5);
  const twice = afterFailure(once, refusal, 5);
  expect([once.leftOutUntil, twice.leftOutUntil]).toEqual([5, 5]);
  expect(afterFailure(twice, refusal, 5).leftOutUntil).toBeGreaterThan(5);
});

it('leaves an endpoint out as long as its Retry-After asks, five minutes at most', () => {
  const until = (retryAfterMs?: number) =>
    afterFailure(
      unknownHealth,
      retryAfterMs === undefined ? limited : { ...limited, retryAfterMs },
      0,
    ).leftOutUntil;
  expect([until(700), until(20_000), until(), until(86_400_000)]).toEqual([
    700, 20_000, 5_000, 300_000,
  ]);
});

it('bans only endpoints that limit us or serve another chain, and only for their time', () => {
  const wrong: EndpointFailure = { reason: 'wrong-chain', message: '' };
  expect(isBanned(afterFailure(unknownHealth, broken, 0), 1)).toBe(false);
  expect(isBanned(afterFailure(unknownHealth, limited, 0), 1)).toBe(true);
  expect(isBanned(afterFailure(unknownHealth, limited, 0), 5_000)).toBe(false);
  expect(isBanned(afterFailure(unknownHealth, wrong, 0), 599_999)).toBe(true);
});

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
