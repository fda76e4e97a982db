import { type Database, isDiskFull, type Queries } from '../kernel/database/database.ts';
import { sql } from '../kernel/database/sql.ts';
import { patienceWithWorker, type Worker } from '../kernel/process/worker.ts';
import { mostAhead, type SteadyClock } from '../kernel/wait/clock.ts';

/** The heartbeat of all processes on one store: one row, which each of them writes periodically. */
export type Heartbeat = {
  /** Writes to the store, durably. Rejects with a `DatabaseError` where that is not possible. */
  beat(): Promise<void>;
  /** Milliseconds by which the clock of this process is ahead of that of the database server, if that has one. */
  aheadOfStore(): number;
  /** Beats periodically, so that a process that starts later knows the latest time. */
  readonly worker: Worker;
};

type HeartbeatOptions = {
  readonly database: Database;
  readonly clock: SteadyClock;
  /** Knows whether the store reported a full disk; without it a beat does not check for room. */
  readonly room?: RoomDoubt;
  /** Called for each failed heartbeat; the worker goes on. */
  readonly onFailure: (error: unknown) => void;
};

const pauseBetweenBeats = 10_000;
/** Milliseconds by which clocks of an installation may differ: beyond it one of them is wrong. */
export const mostApart = 5 * 60_000;

/**
 * Opens the heartbeat, and advances the clock of this process to the latest time that any process has written,
 * so that time goes back neither after a restart nor from one process to another (D6). If the database server
 * has a clock, a time that is ahead of it by more than {@link mostApart} does not count: a process whose clock
 * is wrong does not pull the others along (T7).
 */
export async function openHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { database, clock, room, onFailure } = options;
  let aheadOfStore = 0;

  const beatOn = async (queries: Queries): Promise<void> => {
    const now = clock.now();
    const beat = await writeBeat(queries, { now, mostAhead, mostApart });
    if (beat === undefined) return;
    aheadOfStore = now - beat.store;
    clock.notBefore(beat.latest);
  };
  await beatOn(database);

  return {
    async beat() {
      await beatOn(database);
      await room?.settle(() => takeRoom(database));
    },
    aheadOfStore: () => aheadOfStore,
    worker: {
      name: 'heartbeat',
      movesWithin: patienceWithWorker,
      async run(signal, move = () => {}) {
        while (!signal.aborted) {
          move();
          await clock.sleep(pauseBetweenBeats, signal);
          if (signal.aborted) return;
          // Nobody waits for this beat, and the next one makes up for a lost one.
          await beatOn(database.relaxed).catch(onFailure);
        }
      },
    },
  };
}

/** The latest time that any process has written, and the time of the database server, or of this process without one. */
type StoredBeat = { readonly latest: number; readonly store: number };

/**
 * Writes temporary rows that need new room on the disk of PostgreSQL. A beat, like any small change, succeeds on a full
 * disk, since it fits into pages that PostgreSQL already has.
 */
async function takeRoom(database: Database): Promise<void> {
  // The embedded file needs room for each commit.
  if (database.engine !== 'postgres') return;
  await database.transaction(async (tx) => {
    await tx.run(sql`CREATE TEMPORARY TABLE room (filling TEXT) ON COMMIT DROP`);
    await tx.run(sql`INSERT INTO room SELECT repeat('x', 1000) FROM generate_series(1, 100)`);
  });
}

/**
 * Writes the time of this process, and returns the stored time. A later time of another process stays, unless it is
 * implausible: ahead of the database server by more than `mostApart` or, if that has no clock, ahead of this
 * process by more than `mostAhead`.
 */
function writeBeat(
  queries: Queries,
  { now, mostAhead, mostApart }: { now: number; mostAhead: number; mostApart: number },
): Promise<StoredBeat | undefined> {
  const { time } = queries.dialect;
  return queries.first<StoredBeat>(
    time === undefined
      ? sql`
        UPDATE heartbeat SET latest =
          CASE WHEN latest > ${now} AND latest <= ${now + mostAhead} THEN latest ELSE ${now} END
        WHERE id = 1 RETURNING latest, CAST(${now} AS BIGINT) AS store`
      : sql`
        UPDATE heartbeat SET latest =
          LEAST(GREATEST(latest, CAST(${now} AS BIGINT)), ${time} + ${mostApart})
        WHERE id = 1 RETURNING latest, ${time} AS store`,
  );
}

/** Doubt whether the disk of the store has room: from a report that it is full until a write that needs room succeeds. */
type RoomDoubt = {
  /** Called with every failure of the store. */
  notice(error: unknown): void;
  /** If there is doubt, runs a write that needs room, which settles it. Rejects while the disk is full. */
  settle(takeRoom: () => Promise<void>): Promise<void>;
};

export function createRoomDoubt(): RoomDoubt {
  let isDoubted = false;
  return {
    notice(error) {
      if (isDiskFull(error)) isDoubted = true;
    },
    async settle(takeRoom) {
      if (!isDoubted) return;
      try {
        await takeRoom();
        isDoubted = false;
      } catch (error) {
        // Any other error says nothing about the disk: the doubt stays.
        if (isDiskFull(error)) throw error;
      }
    },
  };
}
