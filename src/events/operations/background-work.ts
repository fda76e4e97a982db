import type { Logger } from '../../kernel/logging/logger.ts';

/** Work that continues after its request was answered. */
export type BackgroundWork = {
  /** Fires when the process ends. */
  readonly signal: AbortSignal;
  /** Follows work to its end. A rejection is a bug and is logged. */
  follow(work: Promise<unknown>): void;
  /** Fires the signal and waits for the work that still runs. */
  close(): Promise<void>;
};

export function createBackgroundWork(logger: Pick<Logger, 'error'>): BackgroundWork {
  const running = new Set<Promise<unknown>>();
  const ending = new AbortController();
  return {
    signal: ending.signal,
    follow(work) {
      const followed = work
        .catch((error) => logger.error({ err: error }, 'background work failed'))
        .finally(() => running.delete(followed));
      running.add(followed);
    },
    async close() {
      ending.abort();
      await Promise.all(running);
    },
  };
}
