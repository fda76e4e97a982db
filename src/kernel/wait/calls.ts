import { onAbort } from './cancel.ts';
import type { Clock } from './clock.ts';

/** Calls to a thread or a process that answers each by its id. */
export type Calls<Answer> = {
  /** How many are under way. */
  readonly size: number;
  /**
   * Sends a call under an id of its own and waits for what is said of it. Rejects with the signal's reason if that
   * fires before; `abandon` then says so to the other side.
   */
  ask(send: (id: number) => void, options?: AskOptions): Promise<Answer>;
  /** Ends a call; one that is over already is let be. */
  answer(id: number, answer: Answer): void;
  refuse(id: number, error: unknown): void;
  /** The other side is gone: fails all that is under way. */
  refuseAll(error: unknown): void;
  /** Resolves once all that is under way now has ended. */
  settled(): Promise<void>;
};

type AskOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly abandon?: (id: number) => void;
};

type Late = { readonly after: number; end(): void };

type CallsOptions = {
  readonly clock: Clock;
  /** Called when the first of several calls is asked, and when the last has ended. */
  onBusy?(): void;
  onIdle?(): void;
  /** Milliseconds after which a call has taken too long, and what to do then. */
  readonly late?: Late;
};

/** The one way to ask a thread or a child process (Y13). */
export function createCalls<Answer>({ clock, onBusy, onIdle, late }: CallsOptions): Calls<Answer> {
  const underWay = new Map<number, PromiseWithResolvers<Answer>>();
  let lastId = 0;

  return {
    get size() {
      return underWay.size;
    },
    async ask(send, { signal, abandon } = {}) {
      signal?.throwIfAborted();
      const id = ++lastId;
      const call = Promise.withResolvers<Answer>();
      if (underWay.size === 0) onBusy?.();
      underWay.set(id, call);
      const stopListening =
        signal &&
        onAbort(signal, () => {
          abandon?.(id);
          call.reject(signal.reason);
        });
      const inTime = late && endLate(clock, late);
      try {
        send(id);
        return await call.promise;
      } finally {
        inTime?.();
        stopListening?.();
        underWay.delete(id);
        if (underWay.size === 0) onIdle?.();
      }
    },
    answer: (id, answer) => underWay.get(id)?.resolve(answer),
    refuse: (id, error) => underWay.get(id)?.reject(error),
    refuseAll(error) {
      for (const { reject } of underWay.values()) reject(error);
    },
    async settled() {
      await Promise.allSettled(Array.from(underWay.values(), ({ promise }) => promise));
    },
  };
}

/** Ends what takes too long, unless the returned function is called before. */
function endLate(clock: Clock, { after, end }: Late): () => void {
  const over = new AbortController();
  void clock.sleep(after, over.signal).then(() => {
    if (!over.signal.aborted) end();
  });
  return () => over.abort();
}
