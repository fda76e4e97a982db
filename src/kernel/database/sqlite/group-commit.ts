import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../wait/clock.ts';
import { callerHasLeft } from '../../wait/presence.ts';
import { DatabaseError } from '../database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export type Writes = {
  /** Runs one writing statement and resolves once it is committed. */
  write<T>(statement: () => T): Promise<T>;
  /** Runs `work` atomically and resolves once it is committed. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
};

/** Runs writes one after another on one connection and commits those that wait together as one group. */
export type GroupCommit = Writes & {
  /** For writes that need not be durable: they form groups of their own, which do not wait for the disk. */
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

/** Does the work, and passes its result to `succeed`. */
type Attempt<T> = (succeed: (value: T) => void) => void | Promise<void>;

export type GroupCommitOptions = Pick<Clock, 'turn'> & {
  /** Called before each group; refuses the whole group by throwing. */
  refuseIfGone?(): void;
};

/** Bounds how long the first of a group waits for the last. */
const maximumGroupSize = 256;

/**
 * Group commit: writes that are waiting in the same turn of the event loop run inside one physical transaction,
 * so that they share its one fsync. Each succeeds or fails by itself: a transaction runs inside a savepoint, a
 * single statement is atomic. No write resolves before the commit. If the commit itself fails, every write in
 * the group is rejected and nothing is kept.
 *
 * A write whose caller left while it waited behind others is rejected with `ABANDONED` and not attempted (D1).
 *
 * Relaxed writes form groups of their own, which let a waiting durable group go first and then alternate with
 * durable ones. They skip the fsync; the next durable group makes them durable too.
 */
export function createGroupCommit(
  connection: SqliteConnection,
  options: GroupCommitOptions,
): GroupCommit {
  const { turn, refuseIfGone = () => {} } = options;
  const waiting = { durable: [] as Waiting[], relaxed: [] as Waiting[] };
  let isScheduled = false;
  /** The kind of group that the connection was last set for. */
  let set: keyof typeof waiting | undefined;
  /** Whether relaxed writes have let a durable group go first. */
  let isRelaxedNext = false;
  let whenIdle: Array<() => void> = [];

  const enqueue = <T>(queue: Waiting[], attempt: Attempt<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      // A caller that need not wait is served even if it has left: it may be giving back what it had taken.
      const hasLeft = queue.length > 0 ? callerHasLeft() : undefined;
      queue.push(createMember(connection, { attempt, hasLeft, resolve, reject }));
      if (!isScheduled) void schedule();
    });

  const schedule = async () => {
    isScheduled = true;
    // After the I/O of this turn, so that transactions it started can still join the group.
    await turn();
    // Relaxed writes wait one more turn, so that callers who continue after the last commit come first.
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
      // Set before the transaction begins: inside one it cannot be changed.
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
      // The group runs in the context of its first caller; each transaction keeps its own caller and span.
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
    /** Set if the write waited behind others. */
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
    // Some failures (a full disk) end the physical transaction, and with it all writes of the group.
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
 * Runs the waiting writes inside one transaction and settles each with its outcome; rejects all of them if
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
    // The queue is read again at each step: writes that arrive while a transaction runs join the group.
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
