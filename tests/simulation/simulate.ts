import { parseArgs } from 'node:util';
import { describeFailure, explore } from './explore.ts';
import type { Fault, FaultKind } from './faults.ts';
import { openSimulation } from './run-simulation.ts';

// By hand: `npm run simulate -- --runs 1000 --seed 1`. One run with its trace: `--seed 7 --faults '[…]'`.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    /** Only these kinds, separated by commas. */
    kinds: { type: 'string' },
    /** One run with exactly these, as a failure prints them; its trace is printed. */
    faults: { type: 'string' },
  },
});
const seed = Number(values.seed);

if (values.faults === undefined) {
  const began = performance.now();
  const kinds = values.kinds?.split(',') as FaultKind[] | undefined;
  const { runs, failure } = await explore({ seed, runs: Number(values.runs), kinds });
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${runs} runs from seed ${seed}, ${(runs / seconds).toFixed(1)} a second`);
  if (failure !== undefined) console.error(describeFailure(failure));
  process.exitCode = failure === undefined ? 0 : 1;
} else {
  const faults: Fault[] = JSON.parse(values.faults);
  const outcome = await openSimulation()({ seed, faults, onNote: (line) => console.log(line) });
  console.log(outcome.trace);
  process.exitCode = outcome.violations.length === 0 ? 0 : 1;
}
