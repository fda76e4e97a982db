import type { Logger } from '../../kernel/logging/logger.ts';
import type { OpenDevchain } from './open-devchain.ts';

/**
 * Begins to build the development chain, and gives it at once as a promise that may be left alone. Loaded
 * only where it runs: a server for others needs neither the chain nor its libraries.
 */
export function beginDevchain({ publicUrl, logger }: { publicUrl: URL; logger: Logger }): {
  readonly devchain: Promise<OpenDevchain | undefined>;
  /** Ends it, built or not yet. */
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const devchain = import('./open-devchain.ts').then(({ openDevchain }) =>
    openDevchain({ publicUrl, logger, signal: closing.signal }),
  );
  // Whoever awaits it learns what went wrong. Where another part fails first nobody awaits it, which must not end the process.
  devchain.catch(() => {});
  return {
    devchain,
    async close() {
      closing.abort();
      await devchain.then(
        (built) => built?.close(),
        () => {},
      );
    },
  };
}
