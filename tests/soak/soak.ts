import { parseArgs } from 'node:util';
import { findGrowth } from './find-growth.ts';
import { runSoak } from './run-soak.ts';

// Runs the whole load on a server of its own for some minutes, and reports what has grown:
//   npm run soak -- --minutes 15
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    /** Before the first reading, in minutes. */
    warmup: { type: 'string', default: '2' },
    /** Between two rounds of a part, in milliseconds. */
    pause: { type: 'string', default: '20' },
  },
});
const report = await runSoak({
  isFilled: true,
  warmUp: { milliseconds: Number(values.warmup) * 60_000 },
  work: { milliseconds: Number(values.minutes) * 60_000 },
  pause: Number(values.pause),
  rest: 10_000,
});
const { before, after, rounds, refusals } = report;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
console.log('rounds', rounds);
console.log(`${refusals.length} were refused`, refusals.slice(-5));
console.log(`heap ${megabytes(before.heapBytes)}, ${megabytes(after.heapBytes)}`);
console.log(`resident ${megabytes(before.residentBytes)}, ${megabytes(after.residentBytes)}`);
console.log(`files and sockets ${before.descriptors}, ${after.descriptors}`);
console.log('handles', before.handles, after.handles);
const grown = Object.entries(after.classes)
  .map(([name, count]) => ({ name, before: before.classes[name] ?? 0, after: count }))
  .map((row) => ({ ...row, more: row.after - row.before }))
  .filter(({ more }) => more > 0)
  .sort((one, other) => other.more - one.more);
console.table(grown.slice(0, 40));
const growth = findGrowth(report);
console.log(growth.length === 0 ? 'ends as it began' : growth);
process.exitCode = growth.length === 0 ? 0 : 1;
