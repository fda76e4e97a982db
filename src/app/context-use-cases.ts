import type { ContextUseCases, SubscriptionUseCases } from '../context/index.ts';
import type { Events } from '../events/index.ts';
import type { Swap } from '../swap/index.ts';
import { chainsOperation, quoteOperation, tokensOperation } from '../swap/wire.ts';

// A price that moved by less is not worth waking an agent for.
const thresholdBps = 10;

/** What callers of the MCP endpoint can do with the services of this process. */
export function contextUseCases(services: {
  readonly swap?: Swap | undefined;
  readonly events?: Events | undefined;
}): ContextUseCases {
  const { swap, events } = services;
  return {
    ...(swap ? swapUseCases(swap) : {}),
    ...(events ? { subscriptions: subscriptionUseCases(events) } : {}),
  };
}

function swapUseCases({ answers, watch }: Swap): Pick<ContextUseCases, 'swap' | 'pairs'> {
  return {
    swap: {
      quote: {
        output: quoteOperation.data,
        ask: (given, { signal, caller: { subject } }) => answers.quote(given, { signal, subject }),
      },
      chains: { output: chainsOperation.data, ask: () => answers.chains() },
      tokens: {
        output: tokensOperation.data,
        ask: (given, { signal, caller: { subject } }) => answers.tokens(given, { signal, subject }),
      },
    },
    pairs: {
      read: (pair, { signal, caller: { subject } }) => answers.pairPrice(pair, { signal, subject }),
      watch: (pair, onChange) =>
        watch.watchPair({ ...pair, thresholdBps }, ({ kinds }) => {
          // The first reading has no kinds of change: it is the baseline.
          if (kinds.length > 0) onChange();
        }),
    },
  };
}

function subscriptionUseCases({ useCasesOf }: Events): SubscriptionUseCases {
  return {
    create: (body, { caller }) => useCasesOf(caller).create(body),
    get: (name, { caller }) => useCasesOf(caller).get(name),
    list: (query, { caller }) => useCasesOf(caller).list(query),
    delete: (name, { caller }) => useCasesOf(caller).delete(name),
    reactivate: (name, { caller }) => useCasesOf(caller).reactivate(name),
  };
}
