import { expect, test } from 'vitest';
import { describeFailure, explore } from './explore.ts';
import type { Fault } from './faults.ts';
import { openSimulation } from './run-simulation.ts';
import { shrinkFaults } from './shrink-faults.ts';

/** The runs of each part, in every check. For more, by hand: `npm run simulate -- --runs 100000 --seed 1`. */
const runsInPart = 10;

test.each([1, 11])('keeps every promise from seed %i on [N13]', async (seed) => {
  const { failure } = await explore({ seed, runs: runsInPart });
  expect(failure && describeFailure(failure)).toBeUndefined();
});

test('runs identically for the same seed and faults [N13]', async () => {
  const first = await openSimulation()({ seed: 3 });
  const again = await openSimulation()({ seed: 3 });
  expect(again).toEqual(first);
  expect(first.faults.length).toBeGreaterThan(0);
  expect(first.steps).toBeGreaterThan(1_000);
  const other = await openSimulation()({ seed: 4 });
  expect(other.trace).not.toBe(first.trace);
});

// Regressions: each of these failed before its cause was fixed.
test.each<[string, number, readonly Fault[]]>([
  [
    'connections died without a word',
    6,
    [{ kind: 'silence', at: 153, node: 0, milliseconds: 1_490 }],
  ],
  [
    'one connection died without a word',
    2,
    [
      { kind: 'statement', at: 1_500, node: 1, call: 1, effect: 'silent-after' },
      { kind: 'statement', at: 3_175, node: 2, call: 4, effect: 'lost-before' },
    ],
  ],
  [
    'a process stood still while it published',
    30,
    [
      { kind: 'pause', at: 2_242, node: 2, call: 2, milliseconds: 10_096 },
      { kind: 'pause', at: 3_458, node: 2, call: 8, milliseconds: 9_593 },
    ],
  ],
  ['the clock was set back', 1, [{ kind: 'clock-set-back', at: 1_804, milliseconds: 3_600_000 }]],
  ['an event was replayed right after it came', 1, []],
])('goes on after %s [N13]', async (_what, seed, faults) => {
  const { violations } = await openSimulation()({ seed, faults });
  expect(violations).toEqual([]);
});

test('shrinks the faults to those that are needed to fail [N13]', async () => {
  const kill = (at: number): Fault => ({ kind: 'kill', at, node: 0, call: 0, milliseconds: 800 });
  const faults = [1, 2, 3, 4, 5, 6, 7].map(kill);
  const left = await shrinkFaults(faults, async (some) => {
    const at = new Set(some.map((fault) => fault.at));
    return at.has(3) && at.has(6);
  });
  expect(left.map(({ at }) => at)).toEqual([3, 6]);
});
