/** Lets so many through at a time; the others wait, first come first served. */
export type Gate = { pass<T>(work: () => Promise<T>): Promise<T> };

export function createGate(places: number): Gate {
  let free = places;
  const waiting: (() => void)[] = [];

  return {
    async pass(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
