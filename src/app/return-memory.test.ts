import { describe, expect, it } from 'vitest';
import type { Clock } from '../kernel/wait/clock.ts';
import { returnMemory } from './return-memory.ts';

const clockThatSleeps = (sleep: Clock['sleep']): Clock => ({
  now: () => 0,
  elapsed: () => 0,
  sleep,
  turn: async () => {},
});

/** Tells the event loop's shares one after another, and counts how often garbage is collected. */
async function runWith(shares: readonly number[], { endsAfter = Infinity } = {}) {
  const ending = new AbortController();
  let looks = 0;
  let collections = 0;
  const clock = clockThatSleeps(async () => {
    looks += 1;
    if (looks > endsAfter) ending.abort('ended');
  });
  await returnMemory({
    clock,
    signal: ending.signal,
    utilization: () => ({ idle: 0, active: 0, utilization: shares[looks - 1] ?? 0 }),
    collect() {
      collections += 1;
    },
  });
  return { looks, collections };
}

describe('returnMemory', () => {
  it('collects once, in the first pause [N1]', async () => {
    expect(await runWith([0.9, 0.4, 0.05, 0.05])).toEqual({ looks: 3, collections: 1 });
  });

  it('leaves the heap of a server alone that was busy for ten seconds [N1]', async () => {
    expect(await runWith([1, 1, 1, 1, 1, 0, 0])).toEqual({ looks: 5, collections: 0 });
  });

  it('gives up when the server ends [N1]', async () => {
    expect(await runWith([1, 1, 0], { endsAfter: 2 })).toEqual({ looks: 3, collections: 0 });
  });

  it('really returns memory [N1]', async () => {
    const kept: object[] = Array.from({ length: 200_000 }, (_, n) => ({ n, text: `entry ${n}` }));
    const before = process.memoryUsage().heapUsed;
    kept.length = 0;
    const clock = clockThatSleeps(async () => {});
    const utilization = () => ({ idle: 1, active: 0, utilization: 0 });
    await returnMemory({ clock, signal: new AbortController().signal, utilization });
    expect(process.memoryUsage().heapUsed).toBeLessThan(before - 5_000_000);
  });
});
