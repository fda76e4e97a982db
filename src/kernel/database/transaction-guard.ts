import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseError, type Queries, type Transaction } from './database.ts';

/** Enforces the port's rules for transactions; the engines alone would differ in them. */
export type TransactionGuard = {
  /**
   * Runs `work` over the queries of one open transaction. Rejects with the first failure of a
   * statement even if `work` caught it or did not await it. The transaction cannot be used after
   * `work`. Returns the value and what to notify.
   */
  run<T>(queries: Queries, work: (tx: Transaction) => Promise<T>): Promise<Worked<T>>;
  /** Throws when the caller is inside `work`: it would wait for a transaction that waits for it. */
  refuseInside(): void;
};

export type Worked<T> = {
  readonly value: T;
  /** The details to notify on each channel, each once. */
  readonly notices: ReadonlyMap<string, ReadonlySet<string>>;
};

export function createTransactionGuard(): TransactionGuard {
  const running = new AsyncLocalStorage<{ isOpen: boolean }>();

  return {
    async run(queries, work) {
      const state = { isOpen: true };
      const notices = new Map<string, Set<string>>();
      const asked = new Set<Promise<unknown>>();
      let failure: unknown;

      const guarded = async <T>(ask: () => Promise<T>): Promise<T> => {
        requireOpen(state.isOpen);
        if (failure !== undefined) throw failure;
        const answer = ask();
        asked.add(answer);
        try {
          return await answer;
        } catch (error) {
          failure ??= error;
          throw error;
        } finally {
          asked.delete(answer);
        }
      };
      const tx: Transaction = {
        dialect: queries.dialect,
        all: (statement) => guarded(() => queries.all(statement)),
        first: (statement) => guarded(() => queries.first(statement)),
        run: (statement) => guarded(() => queries.run(statement)),
        notify(channel, detail = '') {
          requireOpen(state.isOpen);
          notices.set(channel, (notices.get(channel) ?? new Set()).add(detail));
        },
      };

      try {
        const value = await running.run(state, () => work(tx));
        // Queries that the work did not await are part of the transaction too.
        if (asked.size > 0) await Promise.allSettled(asked);
        if (failure !== undefined) throw failure;
        return { value, notices };
      } finally {
        state.isOpen = false;
      }
    },
    refuseInside() {
      if (running.getStore()?.isOpen) {
        throw new DatabaseError(
          'MISUSED',
          'The database was asked from inside a transaction, which would wait for itself: use the transaction that was handed to the work.',
        );
      }
    },
  };
}

function requireOpen(isOpen: boolean): void {
  if (isOpen) return;
  throw new DatabaseError(
    'MISUSED',
    'A transaction was used after its work ended: await every query inside the work.',
  );
}
