import type { OpenDevchain, openDevchain } from './open-devchain.ts';

/**
 * Begins to build the development chain, and returns at once a promise that nobody has to await. The code is loaded only here:
 * a server for others needs neither the chain nor its libraries.
 */
export function beginDevchain(options: Omit<Parameters<typeof openDevchain>[0], 'signal'>): {
  readonly devchain: Promise<OpenDevchain | undefined>;
  /** Ends the chain, whether it is built or still being built. */
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const devchain = import('./open-devchain.ts').then(({ openDevchain }) =>
    openDevchain({ ...options, signal: closing.signal }),
  );
  // Callers that await the promise get the error. If another part fails first, nobody does; that must not end the process.
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
