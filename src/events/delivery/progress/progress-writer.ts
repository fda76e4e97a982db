import type { Clock } from '../../../kernel/clock.ts';
import { createAlarm } from '../../../kernel/lifecycle/alarm.ts';
import { giveWay } from '../../../kernel/lifecycle/give-way.ts';
import type { LaneKind } from '../../store/lanes/lane-store.ts';
import type { LaneProgress } from '../../store/lanes/write-lane-progress.ts';
import { createNotedAttempts, type NotedAttempt, type NotedAttempts } from './noted-attempts.ts';

/** Where a lane stands, for the next write. One object goes with a claimed lane and moves on with it. */
export type LanePosition = Pick<LaneProgress, 'lane' | 'claim'> & {
  cursor: number;
  attempts: number;
  triedThrough: number;
  failingSince: number | undefined;
};

/** Writes the progress of all lanes behind them, many in one commit. */
export type ProgressWriter = {
  /** An attempt begins; it ends when it is noted or the lane is given back. */
  begin(position: LanePosition): void;
  /** Notes an attempt and where the lane stands after it. Answers what to wait for if the store lags. */
  note(position: LanePosition, attempt: NotedAttempt): Promise<void> | undefined;
  /** The lane has nothing more for now: if that was a burst, it is written sooner than a single attempt would be. */
  rest(position: LanePosition): void;
  /** Gives the lane back, with all that was noted; resolves when that is written. */
  release(position: LanePosition, dueAt?: number): Promise<void>;
  /**
   * Resolves when what a lane has done so far is written: what is noted, and an attempt that is under way if
   * it ends soon, for its receiver may have answered already.
   */
  catchUp(lane: number): Promise<void>;
};

export type ProgressWriterOptions = {
  /** Writes to the store, and answers which lanes were lost to others and whether a released one is due. */
  write(written: {
    readonly owner: string;
    readonly progress: readonly LaneProgress[];
    readonly now: number;
  }): Promise<{ lost: LaneProgress[]; isMoreDue: boolean }>;
  readonly owner: string;
  readonly clock: Clock;
  /** Once it has fired, what cannot be written is left to whoever has the lanes next. */
  readonly signal: AbortSignal;
  /** A lane went to another process, which goes on from what was written. */
  onLost(position: Pick<LanePosition, 'claim' | 'lane'>): void;
  /** Lanes that were given back are due, the first of each kind at these times. */
  onDue(first: Readonly<Record<LaneKind, number>>): void;
  onFailure(error: unknown): void;
};

/** So many attempts of a lane may be unwritten: what a crash repeats, and a row of the log holds. */
const attemptsUnwritten = 500;
const attemptsInBurst = 10;
/**
 * Between two commits, so that many lanes share one: four times as long as the last one took, within
 * these, for on the file a commit holds up everything while it lasts.
 */
const [shortestPause, longestPause] = [5, 100];
/**
 * And for so long more while no lane is to be given back whose next event would wait for that: all of
 * them go on, or come again only after a pause of their own.
 */
const unhurriedPause = 100;
const pauseAfterFailure = 1_000;
/** How long one who asks waits for an attempt that is under way. */
const attemptAwaited = 100;

type Pending = {
  readonly position: LanePosition;
  readonly log: NotedAttempts;
  isReleased: boolean;
  dueAt: number | undefined;
  readonly written: Promise<void>;
  settle(): void;
};

export function createProgressWriter(options: ProgressWriterOptions): ProgressWriter {
  const { write, owner, clock, signal, onLost, onDue, onFailure } = options;
  let pending = new Map<LanePosition, Pending>();
  let writing: ReadonlyMap<LanePosition, Pending> = pending;
  /** Attempts that have begun, and how to tell their end to those who wait for it. */
  const underWay = new Map<LanePosition, AbortController | undefined>();
  const haste = createAlarm(clock);
  let isRunning = false;
  let pause = shortestPause;

  const pendingOf = (position: LanePosition): Pending => {
    const known = pending.get(position);
    if (known !== undefined) return known;
    const { promise, resolve } = Promise.withResolvers<void>();
    const log = createNotedAttempts();
    const fresh = { position, log, isReleased: false, dueAt: undefined, written: promise };
    const entry: Pending = { ...fresh, settle: resolve };
    pending.set(position, entry);
    if (!isRunning) void writeAll();
    return entry;
  };

  const writeAll = async (): Promise<void> => {
    isRunning = true;
    while (pending.size > 0) {
      await clock.sleep(pause);
      const isHurried = await haste.sleep(unhurriedPause, signal);
      if (!isHurried) await giveWay(clock);
      writing = pending;
      pending = new Map();
      await writeUntilDone([...writing.values()]);
    }
    isRunning = false;
  };

  /** A store that fails is tried again: the lanes are ours meanwhile, or it tells that they are not. */
  const writeUntilDone = async (entries: readonly Pending[]): Promise<void> => {
    // Taken once: the lanes go on meanwhile, and what they note then has its own write.
    const progress = entries.map(toProgress);
    for (;;) {
      try {
        const now = clock.now();
        const { lost, isMoreDue } = await write({ owner, progress, now });
        pause = Math.min(Math.max(4 * (clock.now() - now), shortestPause), longestPause);
        for (const one of lost) onLost(one);
        for (const { settle } of entries) settle();
        const first = firstDue(progress);
        onDue(isMoreDue ? { ...first, others: Math.min(first.others, now) } : first);
        return;
      } catch (error) {
        onFailure(error);
        await clock.sleep(pauseAfterFailure, signal);
        if (!signal.aborted) continue;
        for (const { settle } of entries) settle();
        return;
      }
    }
  };

  const end = (position: LanePosition): void => {
    underWay.get(position)?.abort();
    underWay.delete(position);
  };

  return {
    begin(position) {
      underWay.set(position, undefined);
    },
    note(position, attempt) {
      end(position);
      const { log, written } = pendingOf(position);
      const unwritten = log.add(attempt);
      if (unwritten === attemptsUnwritten / 2) haste.ring();
      return unwritten >= attemptsUnwritten ? written : undefined;
    },
    rest(position) {
      if ((pending.get(position)?.log.size ?? 0) >= attemptsInBurst) haste.ring();
    },
    async release(position, dueAt) {
      end(position);
      const entry = pendingOf(position);
      entry.isReleased = true;
      entry.dueAt = dueAt;
      if (dueAt === undefined || dueAt < clock.now() + unhurriedPause) haste.ring();
      await entry.written;
    },
    async catchUp(lane) {
      for (const [position, awaited = new AbortController()] of underWay) {
        if (position.lane !== lane) continue;
        underWay.set(position, awaited);
        await clock.sleep(attemptAwaited, awaited.signal);
      }
      haste.ring();
      const unwritten = [...writing.values(), ...pending.values()];
      const own = unwritten.filter(({ position }) => position.lane === lane);
      await Promise.all(own.map(({ written }) => written));
    },
  };
}

/** Tells a lane that was lost and taken again from itself. */
export function claimKey({ lane, claim }: Pick<LanePosition, 'claim' | 'lane'>): string {
  return `${lane}.${claim}`;
}

function firstDue(progress: readonly LaneProgress[]): Record<LaneKind, number> {
  const first = { failing: Infinity, others: Infinity };
  for (const { attempts, dueAt = Infinity } of progress) {
    const kind = attempts > 0 ? 'failing' : 'others';
    first[kind] = Math.min(first[kind], dueAt);
  }
  return first;
}

function toProgress({ position, log, isReleased, dueAt }: Pending): LaneProgress {
  return { ...position, log: log.toLog(), isReleased, dueAt };
}
