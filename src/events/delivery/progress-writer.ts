import { createAlarm } from '../../kernel/wait/alarm.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { giveWay } from '../../kernel/wait/turns.ts';
import { eventsLimits } from '../limits.ts';
import type { Attempt } from '../model/event.ts';
import type { LaneKind } from '../store/lanes/lane-store.ts';
import type { LaneProgress } from '../store/lanes/write-lane-progress.ts';
import type { AnswerBody } from './endpoints/endpoint.ts';

/** The position of a lane, for the next write. A claimed lane has one object, which advances with it. */
export type LanePosition = Pick<LaneProgress, 'lane' | 'claim'> & {
  cursor: number;
  attempts: number;
  triedThrough: number;
  failingSince: number | undefined;
};

/** Writes the progress of lanes after their deliveries, many lanes in one commit. */
export type ProgressWriter = {
  /** An attempt begins; it ends when it is noted or the lane is given back. */
  begin(position: LanePosition): void;
  /** Notes an attempt and the new position of the lane. Returns what to wait for if the store lags. */
  note(position: LanePosition, attempt: NotedAttempt): Promise<void> | undefined;
  /**
   * The lane has no more events for now. If it delivered a burst, that is written sooner than a single attempt would
   * be.
   */
  rest(position: LanePosition): void;
  /** Gives the lane back; resolves when that and everything noted is written. */
  release(position: LanePosition, dueAt?: number): Promise<void>;
  /**
   * Resolves when the lane's progress so far is written: the noted attempts, and one that is under way if it ends soon,
   * because its receiver may have answered already.
   */
  catchUp(lane: number): Promise<void>;
};

type ProgressWriterOptions = {
  /** Writes to the store. Returns which lanes other processes have taken, and whether a released lane is due. */
  write(written: {
    readonly owner: string;
    readonly progress: readonly LaneProgress[];
    readonly now: number;
  }): Promise<{ lost: LaneProgress[]; isMoreDue: boolean }>;
  readonly owner: string;
  readonly clock: Clock;
  /** Once it has fired, progress that cannot be written is left to the next holder of the lanes. */
  readonly signal: AbortSignal;
  /** Another process has claimed the lane and continues from the progress that was written. */
  onLost(position: Pick<LanePosition, 'claim' | 'lane'>): void;
  /** Lanes that were given back are due, the first of each kind at these times. */
  onDue(first: Readonly<Record<LaneKind, number>>): void;
  onFailure(error: unknown): void;
};

/** The most unwritten attempts of a lane: a crash repeats that many, and one row of the log holds them. */
const attemptsUnwritten = 500;
const attemptsInBurst = 10;
/**
 * The bounds of the pause between two commits, in which the progress of many lanes gathers. The pause is four times as
 * long as the last commit took, since a commit on the embedded file blocks everything.
 */
const [shortestPause, longestPause] = [5, 100];
/**
 * The pause is longer by this unless a write is urgent, for instance because the next event of a released lane would
 * wait for it.
 */
const unhurriedPause = 100;
const pauseAfterFailure = 1_000;
type Pending = {
  readonly position: LanePosition;
  readonly log: NotedAttempts;
  isReleased: boolean;
  dueAt: number | undefined;
  readonly written: Promise<void>;
  settle(): void;
};

export function createProgressWriter(options: ProgressWriterOptions): ProgressWriter {
  const { clock, signal } = options;
  let pending = new Map<LanePosition, Pending>();
  let writing: ReadonlyMap<LanePosition, Pending> = pending;
  const underWay = createAttemptsUnderWay<LanePosition>(clock);
  const haste = createAlarm(clock);
  let isRunning = false;
  let pause = shortestPause;

  const pendingOf = (position: LanePosition): Pending => {
    const known = pending.get(position);
    if (known !== undefined) return known;
    const entry = createPending(position);
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
      const entries = [...writing.values()];
      // One snapshot for all tries: the lanes continue meanwhile, and what they note then belongs to the next write.
      const took = await writeUntilDone(options, entries.map(toProgress));
      pause = Math.min(Math.max(4 * took, shortestPause), longestPause);
      for (const { settle } of entries) settle();
    }
    isRunning = false;
  };

  return {
    begin: (position) => underWay.begin(position),
    note(position, attempt) {
      underWay.end(position);
      const { log, written } = pendingOf(position);
      const unwritten = log.add(attempt);
      if (unwritten === attemptsUnwritten / 2) haste.ring();
      return unwritten >= attemptsUnwritten ? written : undefined;
    },
    rest(position) {
      if ((pending.get(position)?.log.size ?? 0) >= attemptsInBurst) haste.ring();
    },
    async release(position, dueAt) {
      underWay.end(position);
      const entry = pendingOf(position);
      entry.isReleased = true;
      entry.dueAt = dueAt;
      if (dueAt === undefined || dueAt < clock.now() + unhurriedPause) haste.ring();
      await entry.written;
    },
    async catchUp(lane) {
      await underWay.wait(lane);
      haste.ring();
      const unwritten = [...writing.values(), ...pending.values()];
      const own = unwritten.filter(({ position }) => position.lane === lane);
      await Promise.all(own.map(({ written }) => written));
    },
  };
}

/**
 * Writes, and retries until the signal fires. Meanwhile this process keeps the lanes, or the write reports that it lost
 * them. Returns how long the last try took.
 */
async function writeUntilDone(
  options: ProgressWriterOptions,
  progress: readonly LaneProgress[],
): Promise<number> {
  const { write, owner, clock, signal, onLost, onDue, onFailure } = options;
  for (;;) {
    const now = clock.now();
    try {
      const { lost, isMoreDue } = await write({ owner, progress, now });
      const took = clock.now() - now;
      for (const one of lost) onLost(one);
      const first = firstDue(progress);
      onDue(isMoreDue ? { ...first, others: Math.min(first.others, now) } : first);
      return took;
    } catch (error) {
      onFailure(error);
      await clock.sleep(pauseAfterFailure, signal);
      if (signal.aborted) return clock.now() - now;
    }
  }
}

function createPending(position: LanePosition): Pending {
  const { promise: written, resolve: settle } = Promise.withResolvers<void>();
  const log = createNotedAttempts();
  return { position, log, isReleased: false, dueAt: undefined, written, settle };
}

/** Distinguishes two claims of the same lane. */
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

/** An attempt with its endpoint's answer, of which more may arrive until the attempt is written. */
export type NotedAttempt = Omit<Attempt, 'response' | 'isResponseCut'> & {
  answer?: AnswerBody | undefined;
};

/** Attempts of a lane that are yet to be written, in order. */
type NotedAttempts = {
  /** Returns how many there are now. */
  add(attempt: NotedAttempt): number;
  readonly size: number;
  /** The attempts as the log stores them, with as much of the answers as has arrived. */
  toLog(): Attempt[];
};

const longestKept = eventsLimits.attemptResponse.value;

/** Keeps the beginnings of answers up to a total size; further attempts are noted without an answer (K3). */
function createNotedAttempts(): NotedAttempts {
  const noted: NotedAttempt[] = [];
  let room: number = eventsLimits.attemptResponses.value;

  return {
    add(attempt) {
      const { answer } = attempt;
      if (answer !== undefined) {
        // An answer that is still arriving counts with the most that is kept of one.
        const size = answer.isOver ? answer.body.length : longestKept;
        if (size > 0 && size <= room) room -= size;
        else attempt.answer = undefined;
      }
      return noted.push(attempt);
    },
    get size() {
      return noted.length;
    },
    toLog: () => noted.map(toAttempt),
  };
}

function toAttempt(noted: NotedAttempt): Attempt {
  if (noted.answer === undefined) return noted;
  const { answer, ...attempt } = noted;
  const { body } = answer;
  const response = Buffer.from(body.subarray(0, longestKept)).toString();
  return { ...attempt, response, isResponseCut: body.length > longestKept };
}

/** The attempts that have begun and not ended, each by the position of its lane. */
type AttemptsUnderWay<Position> = {
  begin(position: Position): void;
  end(position: Position): void;
  /** Resolves when the attempts of the lane have ended, or after a short time. */
  wait(lane: number): Promise<void>;
};

/** How long a caller waits for an attempt that is under way. */
const attemptAwaited = 100;

function createAttemptsUnderWay<Position extends { readonly lane: number }>(
  clock: Pick<Clock, 'sleep'>,
): AttemptsUnderWay<Position> {
  /** Each attempt with the controller that ends the waits for it. */
  const underWay = new Map<Position, AbortController | undefined>();
  return {
    begin(position) {
      underWay.set(position, undefined);
    },
    end(position) {
      underWay.get(position)?.abort();
      underWay.delete(position);
    },
    async wait(lane) {
      for (const [position, awaited = new AbortController()] of underWay) {
        if (position.lane !== lane) continue;
        underWay.set(position, awaited);
        await clock.sleep(attemptAwaited, awaited.signal);
      }
    },
  };
}
