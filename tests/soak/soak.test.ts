import { expect, test } from 'vitest';
import { findGrowth } from './find-growth.ts';
import { runSoak } from './run-soak.ts';

// By hand for longer: npm run soak -- --minutes 15
test('after mixed load a server holds the heap, listeners, timers and handles of before [N12]', async () => {
  const report = await runSoak({ warmUp: { rounds: 8 }, work: { rounds: 24 }, rest: 1_500 });
  expect(report.refusals).toEqual([]);
  expect(findGrowth(report)).toEqual([]);
});
