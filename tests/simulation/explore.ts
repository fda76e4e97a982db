import type { FaultKind } from './faults.ts';
import { openSimulation, type RunOutcome } from './run-simulation.ts';
import { shrinkFaults } from './shrink-faults.ts';

export type ExploreOptions = {
  /** The seed of the first run; each further run has the next one. */
  readonly seed: number;
  readonly runs: number;
  readonly kinds?: readonly FaultKind[] | undefined;
  onRun?(outcome: RunOutcome): void;
};

export type Exploration = {
  readonly runs: number;
  /** The first run that failed, with as few faults as it needs to fail. */
  readonly failure: RunOutcome | undefined;
};

/** Runs one seed after another until one fails, and shrinks the faults of that run. */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const { seed: first, runs, kinds, onRun = () => {} } = options;
  const run = openSimulation();
  for (let seed = first; seed < first + runs; seed++) {
    const outcome = await run({ seed, kinds });
    onRun(outcome);
    const [violation] = outcome.violations;
    if (violation === undefined) continue;
    const faults = await shrinkFaults(outcome.faults, async (fewer) => {
      const { violations } = await run({ seed, faults: fewer });
      return violations.some(({ oracle }) => oracle === violation.oracle);
    });
    return { runs: seed - first + 1, failure: await run({ seed, faults }) };
  }
  return { runs, failure: undefined };
}

/** What a maintainer needs to reproduce a failure. */
export function describeFailure({ seed, faults, violations }: RunOutcome): string {
  const found = violations.map(({ oracle, text }) => `  ${oracle}: ${text}`);
  return [
    `The run with seed ${seed} fails with these faults, and with no fewer:`,
    ...faults.map((fault) => `  ${JSON.stringify(fault)}`),
    'It finds:',
    ...found,
    `See it again: npm run simulate -- --seed ${seed} --faults '${JSON.stringify(faults)}'`,
  ].join('\n');
}
