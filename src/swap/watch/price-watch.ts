import type { Clock } from '../../kernel/wait/clock.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import type { RpcDirectory } from '../rpc-endpoints/rpc-directory.ts';
import { findServedChain, type ServedChain } from '../served-chain.ts';
import { judgeReading, type ReportedPrice, type WatchTerms } from './judge-reading.ts';
import { type PairOfChain, readPairNow, toWatchedPair } from './pair-reader.ts';
import type { PriceReading, WatchedPair } from './price-reading.ts';
import { type OnPairChange, type Watcher, watchChain } from './watch-chain.ts';

/** The content of `rpcs refreshed`: at most five open endpoints of a chain, the best first. */
type RefreshedRpcs = { readonly chainId: number; readonly rpcUrls: readonly string[] };

/** The watches of the swap service, for other parts of the process. */
export type SwapWatch = PriceWatch & {
  servesChain(chainId: number): boolean;
  /**
   * Calls back after each measurement of a chain's endpoints, until the returned function is
   * called.
   */
  watchRpcs(onRefreshed: (refreshed: RefreshedRpcs) => void): () => void;
};

type SwapWatchOptions = PriceWatchOptions & {
  readonly directory: Pick<RpcDirectory, 'knownUrls' | 'onRefreshed'>;
};

/** Joins the watch of prices and that of endpoints. */
export function createSwapWatch({ directory, ...options }: SwapWatchOptions): SwapWatch {
  return {
    ...createPriceWatch(options),
    servesChain: (chainId) => options.chains.has(chainId),
    watchRpcs: (onRefreshed) =>
      directory.onRefreshed((chainId) =>
        onRefreshed({ chainId, rpcUrls: directory.knownUrls(chainId) }),
      ),
  };
}

export type PairWatch = PairOfChain &
  WatchTerms & {
    /** What was reported earlier, for a watch that continues after a restart. */
    readonly lastReported?: ReportedPrice | undefined;
  };

type PriceWatch = {
  /**
   * The price from which a watch that starts now counts: pass it to `watchPair` as `lastReported`. Undefined if
   * one of the two is no token. Throws as `watchPair` does, and `UPSTREAM_ERROR` when the chain cannot be read.
   */
  readPair(pair: PairOfChain, signal: AbortSignal): Promise<ReportedPrice | undefined>;
  /**
   * Reports changes of a pair until the returned function is called. Throws `UNSUPPORTED_CHAIN` and, for what is
   * no address, viem's `InvalidAddressError`. A chain that cannot be read is tried again.
   */
  watchPair(watch: PairWatch, onChange: OnPairChange): () => void;
  /** Ends every watch and waits for running notifications. */
  close(): Promise<void>;
};

type PriceWatchOptions = {
  readonly chains: ReadonlyMap<number, Pick<ServedChain, 'open' | 'reader' | 'pools'>>;
  readonly clock: Clock;
  readonly pollMs: number;
  /** Called with what one whole unit of a watched pair was worth at a block. */
  readonly onReading?: (pair: WatchedPair & { chainId: number }, reading: PriceReading) => void;
  /** Called for failures other than an unreadable chain; the watch goes on. */
  readonly onProblem: (problem: unknown) => void;
};

type ChainWatch = {
  readonly watchers: Set<Watcher>;
  readonly stop: AbortController;
  readonly done: Promise<void>;
};

/**
 * Watches prices block by block. A pair with an amount is priced once per block, however many watch it; each
 * watcher has its own thresholds and its own last reported price. A chain is read only while somebody watches it.
 */
export function createPriceWatch(options: PriceWatchOptions): PriceWatch {
  const { chains, clock, pollMs, onReading, onProblem } = options;
  const watches = new Map<number, ChainWatch>();

  function begin(chainId: number): ChainWatch {
    const watchers = new Set<Watcher>();
    const stop = new AbortController();
    const served = findServedChain(chains, chainId);
    const { signal } = stop;
    const hear = (pair: WatchedPair, reading: PriceReading) =>
      onReading?.({ chainId, ...pair }, reading);
    const watching = { watchers, clock, pollMs, onReading: hear, onProblem, signal };
    // Runs on behalf of all watchers, though one of them starts it.
    const done = onBehalfOfAll(() => watchChain(served, watching)).catch(onProblem);
    const watch = { watchers, stop, done };
    watches.set(chainId, watch);
    return watch;
  }

  return {
    async readPair(pair, signal) {
      const reading = await readPairNow(chains, pair, signal);
      if (reading === undefined) return undefined;
      return judgeReading(reading, { lastReported: undefined, terms: { thresholdBps: 0 }, now: 0 })
        .lastReported;
    },
    watchPair({ chainId, tokenIn, tokenOut, amount, lastReported, ...terms }, onChange) {
      findServedChain(chains, chainId); // throws now instead of never reporting
      const watcher: Watcher = {
        pair: toWatchedPair({ chainId, tokenIn, tokenOut, amount }),
        terms,
        onChange,
        lastReported,
      };
      const watch = watches.get(chainId) ?? begin(chainId);
      watch.watchers.add(watcher);
      return () => {
        watch.watchers.delete(watcher);
        if (watch.watchers.size > 0 || watches.get(chainId) !== watch) return;
        watches.delete(chainId);
        watch.stop.abort();
      };
    },
    async close() {
      const ending = [...watches.values()];
      watches.clear();
      for (const { stop } of ending) stop.abort();
      await Promise.all(ending.map(({ done }) => done));
    },
  };
}
