import type { SqlValue } from '../../../src/kernel/database/sql.ts';
import type { Scheduler } from '../world/scheduler.ts';
import { type RowStore, UniqueViolation, type Written } from './row-store.ts';

/** What the server says to one statement. */
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
  /** The server has closed the connection, and said why where it could. */
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
  /** The client is gone: what it had begun is rolled back. */
  close(error?: Error): void;
};

export type SimulatedPostgres = {
  connect(limits: SessionLimits, hearing: Hearing): Session | undefined;
  /** Every connection is lost, and what was committed last and without waiting for the disk. */
  crash(): void;
  restart(): void;
  readonly openTransactions: number;
};

type Transaction = {
  readonly order: number;
  readonly changes: Uint8Array[];
  readonly locks: Set<string>;
  readonly notices: Map<string, [string, string]>;
  isExplicit: boolean;
  isFailed: boolean;
  /** Whose end it waits for. */
  waitsFor: Transaction | undefined;
  retry: () => void;
};

const deadlockTimeout = 1_000;

/**
 * PostgreSQL as far as the stores can tell: READ COMMITTED, row locks that are held to the end of a
 * transaction, `FOR UPDATE` with and without `SKIP LOCKED`, waits that end with the holder, deadlocks,
 * and the limits a session can set. `differential.test.ts` holds it against the real one.
 *
 * A statement that has waited for a row looks at it anew, and at nothing that it had not found before.
 */
export function createSimulatedPostgres(
  scheduler: Scheduler,
  store: RowStore<Transaction>,
): SimulatedPostgres {
  const holders = new Map<string, Transaction>();
  const waiting = new Set<Transaction>();
  const sessions = new Set<OpenSession>();
  let isUp = true;
  let transactions = 0;
  let open = 0;

  const begin = (isExplicit: boolean): Transaction => {
    open += 1;
    return {
      order: transactions++,
      changes: [],
      locks: new Set(),
      notices: new Map(),
      isExplicit,
      isFailed: false,
      waitsFor: undefined,
      retry: () => {},
    };
  };
  /** Gives up what the transaction holds; those that wait for it go on in the order they came. */
  const end = (transaction: Transaction) => {
    for (const key of transaction.locks) holders.delete(key);
    transaction.locks.clear();
    waiting.delete(transaction);
    for (const other of [...waiting]) {
      if (other.waitsFor !== transaction || !waiting.delete(other)) continue;
      other.waitsFor = undefined;
      other.retry();
    }
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
  const lockedByOthers = (table: string, transaction: Transaction): Set<string> => {
    const keys = [...holders].filter(
      ([key, holder]) => holder !== transaction && key.startsWith(`${table} `),
    );
    return new Set(keys.map(([key]) => key));
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
      open -= 1;
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
      const { columns = [], rows = [], locks = [] } = written ?? {};
      const isSelect = command === 'SELECT' || columns.length > 0;
      finish({
        answer: { columns, rows, command, rowCount: isSelect ? rows.length : countRows(locks) },
      });
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
      transaction = undefined;
      open -= 1;
      end(ended);
      tell(ended);
      return true;
    };

    const runRows = (text: string, values: readonly SqlValue[]) => {
      const own = current();
      const statement = store.read(text);
      const stop = limited(own);
      let candidates: Set<string> | undefined;

      const attempt = () => {
        const hidden = statement.locking?.isSkipping
          ? lockedByOthers(statement.locking.table, own)
          : new Set<string>();
        for (;;) {
          let blocker: Transaction | undefined;
          let strange: string[] = [];
          let written: Written | undefined;
          const judge = (locks: readonly string[]): boolean => {
            const found = candidates;
            if (found !== undefined && !statement.isInsert) {
              strange = locks.filter((key) => !found.has(key));
              if (strange.length > 0) return false;
            }
            for (const key of locks) {
              const holder = holders.get(key);
              if (holder !== undefined && holder !== own) {
                blocker = holder;
                candidates ??= new Set(locks);
                return false;
              }
              holders.set(key, own);
              own.locks.add(key);
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
    const wait = (own: Transaction, blocker: Transaction, retry: () => void) => {
      own.waitsFor = blocker;
      own.retry = retry;
      waiting.add(own);
    };
    /** The limits of a statement that waits; answers how to take them back. */
    const limited = (own: Transaction): (() => void) => {
      const stops: (() => void)[] = [];
      const stop = () => {
        for (const one of stops) one();
      };
      const giveUp = (code: string, message: string) => () => {
        if (own.waitsFor === undefined) return;
        stop();
        waiting.delete(own);
        own.waitsFor = undefined;
        fail(failure(code, message));
      };
      const checkDeadlock = () => {
        if (isDeadlocked(own)) giveUp('40P01', 'deadlock detected')();
      };
      stops.push(scheduler.after(deadlockTimeout, checkDeadlock));
      if (limit.lock > 0) {
        const late = giveUp('55P03', 'canceling statement due to lock timeout');
        stops.push(scheduler.after(limit.lock, late));
      }
      if (limit.statement > 0) {
        const late = giveUp('57014', 'canceling statement due to statement timeout');
        stops.push(scheduler.after(limit.statement, late));
      }
      return stop;
    };
    const lockByName = (name: string) => {
      const own = current();
      const stop = limited(own);
      const key = `advisory ${name}`;
      const attempt = () => {
        const holder = holders.get(key);
        if (holder !== undefined && holder !== own) return wait(own, holder, attempt);
        holders.set(key, own);
        own.locks.add(key);
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
    get openTransactions() {
      return open;
    },
  };
}

/** An error as the driver gives it. */
function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Every row that was written has one lock by its primary key, whatever other unique keys it has. */
function countRows(locks: readonly string[]): number {
  return locks.filter((key) => !key.includes('# ')).length;
}
