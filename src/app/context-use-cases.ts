import type { ContextUseCases } from '../context/index.ts';
import type { Events } from '../events/index.ts';
import type { Swap } from '../swap/index.ts';
import { chainsOperation, quoteOperation, tokensOperation } from '../swap/wire.ts';

// A price that moved by less is not worth waking an agent for.
const thresholdBps = 10;

/** What a caller of the context endpoint can do with the services of this process. */
export function contextUseCasesOf(services: {
  readonly swap?: Swap | undefined;
  readonly events?: Events | undefined;
}): (caller: Parameters<Events['useCasesOf']>[0]) => ContextUseCases {
  const { swap, events } = services;
  return (caller) => ({
    ...(swap ? swapUseCases(swap, caller) : {}),
    ...(events ? { subscriptions: events.useCasesOf(caller) } : {}),
  });
}

function swapUseCases(
  { answers, watch }: Swap,
  { subject }: { readonly subject: string },
): Pick<ContextUseCases, 'swap' | 'pairs'> {
  return {
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
  };
}
