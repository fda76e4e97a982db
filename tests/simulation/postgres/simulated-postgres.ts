import type { SqlValue } from '../../../src/kernel/database/sql.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { SimulatedRandom } from '../world/simulated-random.ts';
import type { RowChange } from './change-log.ts';
import type { Statement } from './read-statement.ts';
import { isRow, type RowStore, UniqueViolation, type Written } from './row-store.ts';

/** The server's answer to one statement. */
export type Answer = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly command: string;
  readonly rowCount: number | null;
};
export type TransactionStatus = 'I' | 'T' | 'E';
export type Reply = { readonly status: TransactionStatus } & (
  | { readonly answer: Answer }
  | { readonly error: Error }
);

/** What the other side of a connection hears. */
export type Hearing = {
  reply(reply: Reply): void;
  notice(channel: string, detail: string): void;
  /** The server has closed the connection, with an error if it could send one. */
  closed(error: Error | undefined): void;
};

/** Milliseconds, as a client sets them; 0 for no limit. */
export type SessionLimits = {
  readonly statement: number;
  readonly lock: number;
  readonly idleInTransaction: number;
};

export type Session = {
  ask(text: string, values: readonly SqlValue[]): void;
  /** The client is gone: its open transaction is rolled back. */
  close(error?: Error): void;
};

export type SimulatedPostgres = {
  connect(limits: SessionLimits, hearing: Hearing): Session | undefined;
  /** Every connection is lost, and so are the last commits that did not wait for the disk. */
  crash(): void;
  restart(): void;
  /**
   * How often several waiters went on at once in an order that PostgreSQL leaves open: inserts do not queue; waiters for
   * different rows may want the same row next; and those for an updated row had queued for its previous version.
   */
  readonly races: number;
};

type Transaction = {
  readonly order: number;
  readonly changes: RowChange[];
  /** By key, whether the row was written or only read. */
  readonly locks: Map<string, 'read' | 'written'>;
  readonly notices: Map<string, [string, string]>;
  isExplicit: boolean;
  isFailed: boolean;
  isInserting: boolean;
  /** The transaction whose end it waits for. */
  waitsFor: Transaction | undefined;
  /** The row or the advisory lock that it waits for. */
  waitsAt: string;
  /** The locks that the waiting statement found when it began: it ignores rows that came later. */
  candidates: Set<string> | undefined;
  retry: () => void;
  stopWaiting: () => void;
  stopStatement: () => void;
};

const deadlockTimeout = 1_000;

/**
 * PostgreSQL as far as the stores can tell: READ COMMITTED, row locks that are held to the end of a
 * transaction, `FOR UPDATE` with and without `SKIP LOCKED`, waits that end with the holder, deadlocks,
 * and the limits a session can set. `differential.test.ts` compares it with the real one.
 *
 * After a wait a statement evaluates its rows again, and ignores rows that it had not found before.
 */
export function createSimulatedPostgres(
  scheduler: Scheduler,
  store: RowStore<Transaction>,
  /** Decides which waiter goes first where PostgreSQL leaves that open. Without it, the first to come goes first. */
  random?: Pick<SimulatedRandom, 'fraction'>,
): SimulatedPostgres {
  const holders = new Map<string, Transaction>();
  const waiting = new Set<Transaction>();
  const sessions = new Set<OpenSession>();
  let isUp = true;
  let transactions = 0;
  let races = 0;

  const begin = (isExplicit: boolean): Transaction => {
    return {
      order: transactions++,
      changes: [],
      locks: new Map(),
      notices: new Map(),
      isExplicit,
      isFailed: false,
      isInserting: false,
      waitsFor: undefined,
      waitsAt: '',
      candidates: undefined,
      retry: () => {},
      stopWaiting: () => {},
      stopStatement: () => {},
    };
  };
  /** Releases the locks of a transaction. Those that wait for it go on in the order they came, unless that is left open. */
  const end = (transaction: Transaction, updated?: ReadonlySet<string>) => {
    for (const key of transaction.locks.keys()) holders.delete(key);
    transaction.locks.clear();
    transaction.stopWaiting();
    transaction.stopStatement();
    const released = [...waiting].filter(({ waitsFor }) => waitsFor === transaction);
    const isInLine = released.every(
      ({ isInserting, waitsAt }) =>
        !isInserting && waitsAt === released[0]?.waitsAt && !updated?.has(waitsAt),
    );
    if (released.length > 1 && !isInLine) races += 1;
    for (const other of isInLine || random === undefined ? released : shuffle(released, random)) {
      if (!waiting.has(other)) continue;
      other.stopWaiting();
      other.retry();
    }
  };
  const hold = (own: Transaction, key: string, as: 'read' | 'written') => {
    holders.set(key, own);
    if (as === 'written' || !own.locks.has(key)) own.locks.set(key, as);
  };
  /** Waiting statements no longer find a deleted row, even if a new row has its key by now. */
  const lose = (key: string) => {
    for (const { candidates } of waiting) candidates?.delete(key);
  };
  const isDeadlocked = (transaction: Transaction): boolean => {
    const seen = new Set<Transaction>();
    for (let next = transaction.waitsFor; next !== undefined; next = next.waitsFor) {
      if (next === transaction) return true;
      if (seen.has(next)) return false;
      seen.add(next);
    }
    return false;
  };
  /**
   * Rows that a statement does not see. `SKIP LOCKED` hides the rows that others have locked. An insert does not see
   * the rows that others are changing, so that it runs into their locks and waits for the outcome.
   */
  const hiddenFrom = (own: Transaction, { locking, isInsert, target }: Statement): Set<string> => {
    const hidden = new Set<string>();
    if (!locking?.isSkipping && !isInsert) return hidden;
    for (const [key, holder] of holders) {
      if (holder === own) continue;
      const isSkipped = locking?.isSkipping && key.startsWith(`${locking.table} `);
      const isChanging =
        isInsert && holder.locks.get(key) === 'written' && key.startsWith(`${target} `);
      if (isSkipped || isChanging) hidden.add(key);
    }
    return hidden;
  };
  const tell = ({ notices }: Transaction) => {
    for (const [channel, detail] of notices.values()) {
      for (const session of sessions) session.hear(channel, detail);
    }
  };

  type OpenSession = { hear(channel: string, detail: string): void; cut(error?: Error): void };

  const connect = (limits: SessionLimits, hearing: Hearing): Session | undefined => {
    if (!isUp) return undefined;
    const channels = new Set<string>();
    const asked: { text: string; values: readonly SqlValue[] }[] = [];
    let transaction: Transaction | undefined;
    let limit = limits;
    let isDurable = true;
    let isBusy = false;
    let isOpen = true;
    let stopIdling = () => {};

    const session: OpenSession = {
      hear: (channel, detail) => {
        if (channels.has(channel)) hearing.notice(channel, detail);
      },
      cut(error) {
        if (!isOpen) return;
        isOpen = false;
        sessions.delete(session);
        stopIdling();
        rollback();
        hearing.closed(error);
      },
    };
    const current = (): Transaction => {
      transaction ??= begin(false);
      return transaction;
    };
    const rollback = () => {
      const ended = transaction;
      transaction = undefined;
      if (ended === undefined) return;
      store.rollback(ended);
      end(ended);
    };
    const status = (): TransactionStatus =>
      transaction === undefined ? 'I' : transaction.isFailed ? 'E' : 'T';
    const finish = (said: { answer: Answer } | { error: Error }) => {
      isBusy = false;
      if (transaction?.isExplicit && limit.idleInTransaction > 0) {
        const fail = () =>
          session.cut(
            failure('25P03', 'terminating connection due to idle-in-transaction timeout'),
          );
        stopIdling = scheduler.after(limit.idleInTransaction, fail);
      }
      hearing.reply({ ...said, status: status() });
      next();
    };
    const succeed = (command: string, written?: Written) => {
      const { columns = [], rows = [] } = written ?? {};
      const shown = columns.length === 0 ? [] : rows;
      finish({ answer: { columns, rows: shown, command, rowCount: rows.length } });
    };
    const fail = (error: Error) => {
      if (transaction?.isExplicit) {
        transaction.isFailed = true;
        store.rollback(transaction);
        end(transaction);
      } else rollback();
      finish({ error });
    };
    const commit = (): boolean => {
      const ended = transaction;
      if (ended === undefined || ended.isFailed) {
        rollback();
        return false;
      }
      store.commit(ended, isDurable);
      const updated = new Set<string>();
      for (const { table, kind, key } of ended.changes) {
        const row = `${table} ${JSON.stringify(key)}`;
        if (kind === 'delete') lose(row);
        if (kind === 'update') updated.add(row);
      }
      transaction = undefined;
      end(ended, updated);
      tell(ended);
      return true;
    };

    const runRows = (text: string, values: readonly SqlValue[]) => {
      const own = current();
      const statement = store.read(text);
      own.isInserting = statement.isInsert;
      const stop = limited(own);
      own.candidates = undefined;

      const attempt = () => {
        // The row is locked before its condition is evaluated again, and stays locked if it no longer matches.
        if (!statement.isInsert && own.candidates?.has(own.waitsAt)) {
          const holder = holders.get(own.waitsAt) ?? own;
          if (holder !== own) return wait(own, holder, attempt);
          hold(own, own.waitsAt, 'read');
        }
        const hidden = hiddenFrom(own, statement);
        for (;;) {
          let blocker: Transaction | undefined;
          let strange: string[] = [];
          let written: Written | undefined;
          const judge = (locks: readonly string[], read: number): boolean => {
            const found = own.candidates;
            if (found !== undefined && !statement.isInsert) {
              // Only rows count: a row may have got another value in a unique index during the wait.
              strange = locks.filter((key) => isRow(key) && !found.has(key));
              if (strange.length > 0) return false;
            }
            for (const [index, key] of locks.entries()) {
              const holder = holders.get(key);
              if (holder !== undefined && holder !== own) {
                blocker = holder;
                own.waitsAt = key;
                own.candidates ??= new Set(locks);
                return false;
              }
              hold(own, key, index >= read ? 'written' : 'read');
            }
            return true;
          };
          try {
            written = store.run(own, { statement, values, hidden, judge });
          } catch (error) {
            stop();
            if (!(error instanceof UniqueViolation)) throw error;
            return fail(failure('23505', 'duplicate key value violates unique constraint'));
          }
          if (strange.length > 0) {
            for (const key of strange) hidden.add(key);
            continue;
          }
          if (blocker !== undefined) return wait(own, blocker, attempt);
          stop();
          if (!own.isExplicit) commit();
          return succeed(statement.command, written);
        }
      };
      attempt();
    };
    /** Waits for another transaction to end, up to the lock timeout and unless it is a deadlock. */
    const wait = (own: Transaction, blocker: Transaction, attempt: () => void) => {
      const stops = [
        scheduler.after(deadlockTimeout, () => {
          if (isDeadlocked(own)) giveUp(own, '40P01', 'deadlock detected');
        }),
      ];
      if (limit.lock > 0) {
        const late = () => giveUp(own, '55P03', 'canceling statement due to lock timeout');
        stops.push(scheduler.after(limit.lock, late));
      }
      own.waitsFor = blocker;
      own.stopWaiting = () => {
        for (const stop of stops) stop();
        waiting.delete(own);
        own.waitsFor = undefined;
      };
      own.retry = attempt;
      waiting.add(own);
    };
    const giveUp = (own: Transaction, code: string, message: string) => {
      if (own.waitsFor === undefined) return;
      own.stopWaiting();
      own.stopStatement();
      fail(failure(code, message));
    };
    /** Starts the statement timeout, which only waits can exceed. Returns how to cancel it. */
    const limited = (own: Transaction): (() => void) => {
      if (limit.statement === 0) return () => {};
      const late = () => giveUp(own, '57014', 'canceling statement due to statement timeout');
      own.stopStatement = scheduler.after(limit.statement, late);
      return own.stopStatement;
    };
    const lockByName = (name: string) => {
      const own = current();
      const stop = limited(own);
      const key = `advisory ${name}`;
      const attempt = () => {
        const holder = holders.get(key);
        if (holder !== undefined && holder !== own) {
          own.waitsAt = key;
          return wait(own, holder, attempt);
        }
        hold(own, key, 'read');
        stop();
        if (!own.isExplicit) commit();
        succeed('SELECT');
      };
      attempt();
    };
    const set = (text: string) => {
      const [, name, value = ''] =
        /^SET (?:LOCAL |SESSION )?(\w+)\s*(?:=|TO)\s*'?(\w+)/.exec(text) ?? [];
      if (name === 'synchronous_commit') isDurable = value === 'on';
      if (name === 'statement_timeout') limit = { ...limit, statement: Number.parseInt(value, 10) };
      if (name === 'lock_timeout') limit = { ...limit, lock: Number.parseInt(value, 10) };
      succeed('SET');
    };
    const carryOut = (text: string, values: readonly SqlValue[]) => {
      if (/^BEGIN/.test(text)) {
        transaction = begin(true);
        return succeed('BEGIN');
      }
      if (/^COMMIT/.test(text)) return succeed(commit() ? 'COMMIT' : 'ROLLBACK');
      if (/^ROLLBACK/.test(text)) {
        rollback();
        return succeed('ROLLBACK');
      }
      if (transaction?.isFailed) {
        return finish({ error: failure('25P02', 'current transaction is aborted') });
      }
      if (/^SET /.test(text)) return set(text);
      const listened = /^LISTEN "?([^"]+)"?/.exec(text)?.[1];
      if (listened !== undefined) {
        channels.add(listened);
        return succeed('LISTEN');
      }
      if (/pg_notify/.test(text)) {
        const [channel, detail] = [String(values[0]), String(values[1])];
        const own = current();
        own.notices.set(`${channel} ${detail}`, [channel, detail]);
        if (!own.isExplicit) commit();
        return succeed('SELECT');
      }
      if (/pg_advisory_xact_lock/.test(text)) return lockByName(String(values[0]));
      runRows(text, values);
    };
    const next = () => {
      if (isBusy || !isOpen) return;
      const one = asked.shift();
      if (one === undefined) return;
      isBusy = true;
      stopIdling();
      carryOut(one.text.trim(), one.values);
    };

    sessions.add(session);
    return {
      ask(text, values) {
        asked.push({ text, values });
        next();
      },
      close: (error) => session.cut(error),
    };
  };

  return {
    connect,
    crash() {
      isUp = false;
      for (const session of [...sessions]) session.cut(failure('57P02', 'the server crashed'));
      store.crash();
    },
    restart() {
      isUp = true;
    },
    get races() {
      return races;
    },
  };
}

/** An error as the driver gives it. */
function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function shuffle<T>(items: readonly T[], { fraction }: Pick<SimulatedRandom, 'fraction'>): T[] {
  const drawn = items.map((item) => ({ item, place: fraction() }));
  return drawn.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}
