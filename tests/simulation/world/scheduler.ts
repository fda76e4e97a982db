/** A simulated process, which can be paused and can die. */
export type Process = {
  readonly name: string;
  isPaused: boolean;
  isDead: boolean;
  /** What would have run during the pause, in order. */
  readonly backlog: (() => void)[];
};

export function createProcess(name: string): Process {
  return { name, isPaused: false, isDead: false, backlog: [] };
}

/** Simulated time, and everything that is scheduled in it, in one order. */
export type Scheduler = {
  /** Milliseconds since the beginning. */
  now(): number;
  /** Runs something after so many milliseconds, in the process if one is given. Returns how to cancel it. */
  after(milliseconds: number, run: () => void, process?: Process): () => void;
  /** Ends the pause of a process and runs its backlog. */
  resume(process: Process): void;
  /** Runs everything that is scheduled up to the time, or until `isOver` returns true after a step. */
  runUntil(time: number, isOver?: () => boolean): Promise<void>;
  /** How many entries have run. */
  readonly steps: number;
  /** How many entries are scheduled now. */
  readonly pending: number;
  /** The most that were ever scheduled at once. */
  readonly mostPending: number;
};

type Entry = {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
  /** It has run, or was cancelled. */
  isOver: boolean;
};

/** More steps than any run needs at one moment: beyond that it is a livelock. */
const mostAtOneMoment = 20_000;

export class LivelockError extends Error {}

/**
 * A queue of entries by time and then by the order in which they were made. Between two entries every promise that
 * can settle does. Nothing else runs in the process, so the order is always the same.
 */
export function createScheduler(): Scheduler {
  const heap: Entry[] = [];
  let [now, order, steps] = [0, 0, 0];
  let [pending, mostPending] = [0, 0];

  const isBefore = (one: Entry, other: Entry) =>
    one.at < other.at || (one.at === other.at && one.order < other.order);
  const push = (entry: Entry) => {
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = entry;
  };
  const pop = (): Entry | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  };

  const end = (entry: Entry) => {
    if (!entry.isOver) pending -= 1;
    entry.isOver = true;
  };

  const after: Scheduler['after'] = (milliseconds, run, process) => {
    const inProcess = () => {
      if (process?.isDead) return;
      if (process?.isPaused) process.backlog.push(entry.run === undefined ? () => {} : run);
      else run();
    };
    const at = now + Math.max(0, milliseconds);
    const entry: Entry = { at, order: order++, run: inProcess, isOver: false };
    push(entry);
    pending += 1;
    mostPending = Math.max(mostPending, pending);
    return () => {
      entry.run = undefined;
      end(entry);
    };
  };

  return {
    now: () => now,
    after,
    resume(process) {
      process.isPaused = false;
      for (const run of process.backlog.splice(0)) after(0, run, process);
    },
    async runUntil(time, isOver = () => false) {
      let atThisMoment = 0;
      while (heap.length > 0 && heap[0]!.at <= time) {
        const entry = pop()!;
        if (entry.run === undefined) continue;
        atThisMoment = entry.at > now ? 0 : atThisMoment + 1;
        if (atThisMoment > mostAtOneMoment)
          throw new LivelockError(`Time stands still at ${now} ms.`);
        now = entry.at;
        steps += 1;
        end(entry);
        entry.run();
        await settle();
        if (isOver()) return;
      }
      now = Math.max(now, time);
    },
    get steps() {
      return steps;
    },
    get pending() {
      return pending;
    },
    get mostPending() {
      return mostPending;
    },
  };
}

/** A turn of the real event loop, in which all promises settle, since none of them waits for real I/O. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
