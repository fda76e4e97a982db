import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describeFailure, type Exploration } from './explore.ts';
import type { Fault, FaultKind } from './faults.ts';
import { openSimulation } from './run-simulation.ts';

// By hand: `npm run simulate -- --runs 1000 --seed 1 --threads 8`. One run with its trace: `--seed 7 --faults '[…]'`.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    /** How many threads share the runs. */
    threads: { type: 'string', default: '1' },
    /** Only these kinds of faults, separated by commas. */
    kinds: { type: 'string' },
    /** One run with exactly these faults, in the form that a failure prints. Prints the trace. */
    faults: { type: 'string' },
  },
});
const seed = Number(values.seed);

if (values.faults === undefined) {
  const began = performance.now();
  const kinds = values.kinds?.split(',') as FaultKind[] | undefined;
  const explored = await exploreInThreads({
    runs: Number(values.runs),
    threads: Number(values.threads),
    kinds,
  });
  const runs = explored.reduce((sum, part) => sum + part.runs, 0);
  const failure = explored.find((part) => part.failure)?.failure;
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

/** Each thread runs the seeds of its part, up to the first that fails. */
function exploreInThreads(options: {
  readonly runs: number;
  readonly threads: number;
  readonly kinds: readonly FaultKind[] | undefined;
}): Promise<Exploration[]> {
  const { runs, threads, kinds } = options;
  const share = Math.ceil(runs / threads);
  const parts = Array.from({ length: threads }, (_, index) => ({
    seed: seed + index * share,
    runs: Math.max(0, Math.min(share, runs - index * share)),
    kinds,
  }));
  return Promise.all(
    parts.map((workerData) => {
      const { promise, resolve, reject } = Promise.withResolvers<Exploration>();
      const worker = new Worker(new URL('./simulate-part.ts', import.meta.url), { workerData });
      worker.once('message', resolve);
      worker.once('error', reject);
      return promise;
    }),
  );
}
