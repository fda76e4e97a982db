/** One contender: the call to repeat, and how many operations one call makes. */
export type Contender = {
  readonly name: string;
  readonly operations: number;
  run(): Promise<void> | void;
};

export type Measurement = {
  readonly name: string;
  readonly perSecond: number;
  /** Processor time of this process, user and system together. */
  readonly cpuMicroseconds: number;
};

const roundMilliseconds = 400;
const rounds = 5;

/**
 * Runs the contenders in turns, so that a busy moment of the machine affects all of them, and returns
 * the medians of each over its rounds. The first turn warms up and is not counted.
 */
export async function measure(contenders: readonly Contender[]): Promise<Measurement[]> {
  const measured = contenders.map(({ name }) => ({ name, rounds: [] as Measurement[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const measurement = await measureRound(contender);
      if (round > 0) measured[index]?.rounds.push(measurement);
    }
  }
  return measured.map(({ name, rounds }) => ({
    name,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuMicroseconds: median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  }));
}

async function measureRound({ name, operations, run }: Contender): Promise<Measurement> {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  let done = 0;
  let elapsed = 0;
  while (elapsed < roundMilliseconds) {
    await run();
    done += operations;
    elapsed = performance.now() - start;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return { name, perSecond: (done / elapsed) * 1_000, cpuMicroseconds: (user + system) / done };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
