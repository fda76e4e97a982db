/** Lets so many through at a time; the others wait, first come first served. */
export type Turnstile = {
  /** How many wait. */
  readonly waiting: number;
  pass<T>(work: () => Promise<T>): Promise<T>;
};

export function createTurnstile(places: number): Turnstile {
  let free = places;
  const queue: (() => void)[] = [];

  return {
    get waiting() {
      return queue.length;
    },
    async pass(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
