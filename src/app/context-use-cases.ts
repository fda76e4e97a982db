import type { ContextUseCases } from '../context/index.ts';
import type { Swap } from '../swap/index.ts';
import { chainsOperation, quoteOperation, tokensOperation } from '../swap/wire.ts';

// A price that moved by less is not worth waking an agent for.
const thresholdBps = 10;

/** What a caller of the context endpoint can do with the services of this process. */
export function contextUseCasesOf(services: {
  readonly swap?: Swap | undefined;
}): (caller: { readonly subject: string }) => ContextUseCases {
  const { swap } = services;
  if (swap === undefined) return () => ({});
  const { answers, watch } = swap;
  return ({ subject }) => ({
    swap: {
      quote: {
        output: quoteOperation.data,
        ask: (given, { signal }) => answers.quote(given, { signal, subject }),
      },
      chains: { output: chainsOperation.data, ask: () => answers.chains() },
      tokens: {
        output: tokensOperation.data,
        ask: (given, { signal }) => answers.tokens(given, { signal, subject }),
      },
    },
    pairs: {
      read: (pair, { signal }) => answers.price(pair, { signal, subject }),
      watch: (pair, onChange) =>
        watch.watchPair({ ...pair, thresholdBps }, ({ kinds }) => {
          // The first reading has none: it is where the watch begins.
          if (kinds.length > 0) onChange();
        }),
    },
  });
}
