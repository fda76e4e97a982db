import { AsyncLocalStorage } from 'node:async_hooks';
import { callerHasLeft } from '../../cancel/presence.ts';
import type { Clock } from '../../time/clock.ts';
import { DatabaseError } from '../database-error.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export type Writes = {
  /** Runs one statement for effect and resolves once it is kept. */
  write<T>(statement: () => T): Promise<T>;
  /** Runs `work` so that it happens as a whole or not at all, and resolves once it is kept. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
};

/** Runs writes one after another on one connection and makes those that wait together durable at once. */
export type GroupCommit = Writes & {
  /** For what need not be durable: it has groups of its own, which do not wait for the disk. */
  readonly relaxed: Writes;
  /** Resolves when nothing is waiting. */
  idle(): Promise<void>;
};

/** A waiting write: it is tried inside the group's transaction and settled after the commit. */
type Waiting = {
  attempt(): void | Promise<void>;
  tell(): void;
  refuse(error: unknown): void;
};

/** Does the work, and says with what it succeeded. */
type Attempt<T> = (succeed: (value: T) => void) => void | Promise<void>;

export type GroupCommitOptions = Pick<Clock, 'turn'> & {
  /** Is asked before each group, and refuses all of it by throwing. */
  refuseIfGone?(): void;
};

/** Bounds how long the first of a group waits for the last. */
const maximumGroupSize = 256;

/**
 * Group commit: writes that are waiting in the same turn of the event loop run inside one physical
 * transaction, so that they share its one fsync. Each keeps its own fate: a transaction runs inside
 * a savepoint, a single statement is atomic by itself. Nobody is told of success before the commit;
 * when the commit itself fails, everyone in the group is refused and nothing is kept.
 *
 * Who waited behind others and has left meanwhile is refused with `ABANDONED`, and nothing is done for it (D1).
 *
 * What need not be durable is never in the way of what must be: it comes in groups of its own, after them
 * and in turns with them. These do without the fsync; the next group that has it makes them durable too.
 */
export function createGroupCommit(
  connection: SqliteConnection,
  options: GroupCommitOptions,
): GroupCommit {
  const { turn, refuseIfGone = () => {} } = options;
  const waiting = { durable: [] as Waiting[], relaxed: [] as Waiting[] };
  let isScheduled = false;
  /** How the connection was set last. */
  let set: keyof typeof waiting | undefined;
  /** Whether those that need not be durable have let a group go first. */
  let isRelaxedNext = false;
  let whenIdle: Array<() => void> = [];

  const enqueue = <T>(queue: Waiting[], attempt: Attempt<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      // Who need not wait is served, gone or not: it may be giving back what it had taken.
      const hasLeft = queue.length > 0 ? callerHasLeft() : undefined;
      queue.push(createMember(connection, { attempt, hasLeft, resolve, reject }));
      if (!isScheduled) void schedule();
    });

  const schedule = async () => {
    isScheduled = true;
    // After the I/O of this turn, so that transactions it started can still join the group.
    await turn();
    // A turn later still, so that those who continue after the last commit come first.
    if (waiting.durable.length === 0) await turn();
    await commitGroup();
  };

  const nextKind = () => {
    const { durable, relaxed } = waiting;
    const kind = durable.length === 0 || isRelaxedNext ? 'relaxed' : 'durable';
    isRelaxedNext = kind === 'durable' && relaxed.length > 0;
    return kind;
  };

  const commitGroup = async () => {
    const kind = nextKind();
    await runGroup(connection, waiting[kind], () => {
      refuseIfGone();
      // Before it begins: inside a transaction this cannot be changed.
      if (kind === set) return;
      connection.execute(`PRAGMA synchronous = ${kind === 'durable' ? 'FULL' : 'NORMAL'}`);
      set = kind;
    });
    isScheduled = false;
    if (waiting.durable.length + waiting.relaxed.length > 0) return void schedule();
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  };

  const writesOf = (queue: Waiting[]): Writes => ({
    write: (statement) => enqueue(queue, (succeed) => succeed(statement())),
    transaction(work) {
      // The group runs in the context of whoever began it; each transaction keeps its own caller and span.
      const inContext = AsyncLocalStorage.snapshot();
      const inOwn = () => inContext(work);
      return enqueue(queue, async (succeed) => succeed(await inSavepoint(connection, inOwn)));
    },
  });

  return {
    ...writesOf(waiting.durable),
    relaxed: writesOf(waiting.relaxed),
    idle: () =>
      isScheduled ? new Promise((resolve) => whenIdle.push(resolve)) : Promise.resolve(),
  };
}

/** A waiting write, with its outcome. */
function createMember<T>(
  connection: SqliteConnection,
  member: {
    attempt: Attempt<T>;
    /** Of one that waited behind others. */
    hasLeft: (() => boolean) | undefined;
    resolve(value: T): void;
    reject(error: unknown): void;
  },
): Waiting {
  const { attempt, hasLeft, resolve, reject } = member;
  let tell = () => {};
  const succeed = (value: T) => {
    tell = () => resolve(value);
  };
  const fail = (error: unknown) => {
    // Some failures (a full disk) end the physical transaction, and everyone's writes with it.
    if (!connection.isInTransaction) throw error;
    tell = () => reject(error);
  };
  return {
    attempt() {
      try {
        if (hasLeft?.()) throw abandoned();
        return attempt(succeed)?.catch(fail);
      } catch (error) {
        return fail(error);
      }
    },
    tell: () => tell(),
    refuse: reject,
  };
}

/**
 * Runs the waiting ones inside one transaction and settles each with its outcome; refuses all of them where
 * `prepare` throws.
 */
async function runGroup(
  connection: SqliteConnection,
  queue: Waiting[],
  prepare: () => void,
): Promise<void> {
  let size = 0;
  try {
    prepare();
    connection.execute('BEGIN IMMEDIATE');
    // The queue is read anew at each step: who comes while a transaction works joins the group.
    while (size < queue.length && size < maximumGroupSize) {
      const attempt = queue[size++]?.attempt();
      if (attempt !== undefined) await attempt;
    }
    connection.execute('COMMIT');
    for (const member of queue.splice(0, size)) member.tell();
  } catch (error) {
    if (connection.isInTransaction) connection.execute('ROLLBACK');
    for (const member of queue.splice(0, size || queue.length)) member.refuse(error);
  }
}

async function inSavepoint<T>(connection: SqliteConnection, work: () => Promise<T>): Promise<T> {
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
}

function abandoned(): DatabaseError {
  return new DatabaseError(
    'ABANDONED',
    'The caller left while the work waited for its turn to write; nothing was done.',
  );
}
