import type { Database, Queries } from '../database/database.ts';
import type { Migration } from '../database/migrate.ts';
import { mostAhead, type SteadyClock } from '../time/steady-clock.ts';
import type { RoomDoubt } from './doubt-room.ts';
import { takeRoom, writeBeat } from './heartbeat-store.ts';
import { patienceWithWorker, type Worker } from './worker.ts';

/** The heartbeat of all processes on one store: one row, which each of them writes periodically. */
export type Heartbeat = {
  /** Writes to the store, durably. Rejects with a `DatabaseError` where that is not possible. */
  beat(): Promise<void>;
  /** Milliseconds by which the clock of this process is ahead of that of the database server, if that has one. */
  aheadOfStore(): number;
  /** Beats periodically, so that a process that starts later knows the latest time. */
  readonly worker: Worker;
};

export type HeartbeatOptions = {
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

export const heartbeatMigrations: readonly Migration[] = [
  {
    id: 'kernel-0007-heartbeat',
    statements: () => [
      'CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, latest BIGINT NOT NULL)',
      'INSERT INTO heartbeat (id, latest) VALUES (1, 0)',
    ],
  },
];

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
