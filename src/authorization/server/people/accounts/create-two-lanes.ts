/** Work in the second lane runs only when none waits in the first. */
export type Lane = 'first' | 'second';

/** Lets a bounded number through at a time; the others wait in their lane, first come first served. */
export type TwoLanes = {
  /** Whether work that arrives now can run or wait. */
  hasRoom(lane: Lane): boolean;
  /** Runs the work when its turn comes. */
  pass<T>(work: () => Promise<T>, lane: Lane): Promise<T>;
};

/** `places` bounds how many run at once, `most` how many wait in each lane: neither uses the other's room. */
export function createTwoLanes(options: {
  readonly places: number;
  readonly most: Readonly<Record<Lane, number>>;
}): TwoLanes {
  const { most } = options;
  const waiting: Record<Lane, (() => void)[]> = { first: [], second: [] };
  let free = options.places;

  const letNextIn = () => {
    const enter = waiting.first.shift() ?? waiting.second.shift();
    if (enter === undefined) free += 1;
    else enter();
  };

  return {
    hasRoom: (lane) => free > 0 || waiting[lane].length < most[lane],
    async pass(work, lane) {
      if (free > 0) free -= 1;
      else await new Promise<void>((enter) => void waiting[lane].push(enter));
      try {
        return await work();
      } finally {
        letNextIn();
      }
    },
  };
}
