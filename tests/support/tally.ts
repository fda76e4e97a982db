/** Counts occurrences, so that a test can wait for the n-th without polling. */
export type Tally = {
  add(): void;
  readonly count: () => number;
  reached(count: number): Promise<void>;
};

export function createTally(): Tally {
  let counted = 0;
  const waiting = new Set<{ readonly count: number; resolve(): void }>();

  return {
    add() {
      counted += 1;
      for (const one of waiting) {
        if (one.count > counted) continue;
        waiting.delete(one);
        one.resolve();
      }
    },
    count: () => counted,
    reached: (count) =>
      new Promise((resolve) => {
        if (counted >= count) resolve();
        else waiting.add({ count, resolve });
      }),
  };
}
