import type { SqliteConnection } from './sqlite-connection.ts';

export type Writes = {
  /** Runs one statement for effect and resolves once it is kept. */
  write<T>(statement: () => T): Promise<T>;
  /** Runs `work` so that it happens as a whole or not at all, and resolves once it is kept. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
};

/** Runs writes one after another on one connection and makes those that wait together durable at once. */
export type GroupCommit = Writes & {
  /** For what need not be durable: it waits for the disk only in a group with what must be. */
  readonly relaxed: Writes;
  /** Resolves when nothing is waiting. */
  idle(): Promise<void>;
};

/** One that waits: it is tried inside the group's transaction and told the outcome after the commit. */
type Waiting = {
  readonly isDurable: boolean;
  attempt(): void | Promise<void>;
  tell(): void;
  refuse(error: unknown): void;
};

/** Bounds how long the first of a group waits for the last. */
const maximumGroupSize = 256;

/**
 * Group commit: writes that are waiting in the same turn of the event loop run inside one physical
 * transaction, so that they share its one fsync. Each keeps its own fate: a transaction runs inside
 * a savepoint, a single statement is atomic by itself. Nobody is told of success before the commit;
 * when the commit itself fails, everyone in the group is refused and nothing is kept. A group in which
 * nothing must be durable does without the fsync; the next one that has it makes all before it durable.
 */
export function createGroupCommit(connection: SqliteConnection): GroupCommit {
  let waiting: Waiting[] = [];
  let isScheduled = false;
  /** As the connection was set last. */
  let isSynchronous: boolean | undefined;
  let whenIdle: Array<() => void> = [];

  const enqueue = <T>(
    attempt: (succeed: (value: T) => void) => void | Promise<void>,
    isDurable: boolean,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      let tell = () => {};
      const succeed = (value: T) => {
        tell = () => resolve(value);
      };
      const fail = (error: unknown) => {
        // Some failures (a full disk) end the physical transaction, and everyone's writes with it.
        if (!connection.isInTransaction) throw error;
        tell = () => reject(error);
      };
      waiting.push({
        isDurable,
        attempt() {
          try {
            return attempt(succeed)?.catch(fail);
          } catch (error) {
            return fail(error);
          }
        },
        tell: () => tell(),
        refuse: reject,
      });
      schedule();
    });

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    // After the I/O of this turn: whoever it woke can still join the group.
    setImmediate(() => void commitGroup());
  };

  const commitGroup = async () => {
    const group: Waiting[] = [];
    const isDurable = waiting.some((member) => member.isDurable);
    try {
      // Before it begins: inside a transaction this cannot be changed.
      if (isDurable !== isSynchronous) {
        connection.execute(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
        isSynchronous = isDurable;
      }
      connection.execute('BEGIN IMMEDIATE');
      // The queue is read anew at each step: who comes while a transaction works joins the group.
      for (let next = 0; next < waiting.length && next < maximumGroupSize; next++) {
        const member = waiting[next];
        // Too late for one that must be durable to change how this group commits.
        if (member === undefined || (member.isDurable && !isDurable)) break;
        group.push(member);
        const attempt = member.attempt();
        if (attempt !== undefined) await attempt;
      }
      connection.execute('COMMIT');
      for (const member of group) member.tell();
    } catch (error) {
      if (connection.isInTransaction) connection.execute('ROLLBACK');
      if (group.length === 0) group.push(...waiting);
      for (const member of group) member.refuse(error);
    }
    waiting = waiting.slice(group.length);
    isScheduled = false;
    if (waiting.length > 0) return schedule();
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  };

  const inSavepoint = async <T>(work: () => Promise<T>): Promise<T> => {
    connection.execute('SAVEPOINT member');
    try {
      const value = await work();
      connection.execute('RELEASE member');
      return value;
    } catch (error) {
      if (connection.isInTransaction) {
        connection.execute('ROLLBACK TO member');
        connection.execute('RELEASE member');
      }
      throw error;
    }
  };

  const writes = (isDurable: boolean): Writes => ({
    write: (statement) => enqueue((succeed) => succeed(statement()), isDurable),
    transaction: (work) => enqueue(async (succeed) => succeed(await inSavepoint(work)), isDurable),
  });

  return {
    ...writes(true),
    relaxed: writes(false),
    idle: () =>
      waiting.length === 0 && !isScheduled
        ? Promise.resolve()
        : new Promise((resolve) => whenIdle.push(resolve)),
  };
}
