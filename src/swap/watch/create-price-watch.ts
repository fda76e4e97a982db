import type { Clock } from '../../kernel/clock.ts';
import type { Block } from '../chain/chain-reader.ts';
import { findServedChain } from '../find-served-chain.ts';
import type { ServedChain } from '../served-chain.ts';
import { SwapError } from '../swap-error.ts';
import {
  type Judgement,
  judgeReading,
  type ReportedPrice,
  type WatchTerms,
} from './judge-reading.ts';
import { type PriceReading, readPrice, type WatchedPair } from './price-reading.ts';
import { type PairOfChain, readPairNow, toWatchedPair } from './read-pair-now.ts';

export type PairWatch = PairOfChain &
  WatchTerms & {
    /** What was reported earlier, for one that goes on after a restart. */
    readonly lastReported?: ReportedPrice | undefined;
  };

/**
 * A change, or with no kinds the first reading of a watch that begins. `before` is what counted as
 * reported until now, and `lastReported` what does from now on.
 */
export type PairChange = Judgement & {
  readonly reading: PriceReading;
  readonly before: ReportedPrice | undefined;
};

/** Takes a change. A rejection leaves it untold: it comes again with the next look at the chain. */
export type OnPairChange = (change: PairChange, signal: AbortSignal) => Promise<void> | void;

export type PriceWatch = {
  /**
   * What a watch that begins now counts from: `lastReported` of a later `watchPair`. Undefined where one of
   * the two is no token. Throws as `watchPair` does, and `UPSTREAM_ERROR` when the chain cannot be read.
   */
  readPair(pair: PairOfChain, signal: AbortSignal): Promise<ReportedPrice | undefined>;
  /**
   * Tells of changes of a pair until the answered function is called. Throws `UNSUPPORTED_CHAIN` and,
   * for what is no address, viem's `InvalidAddressError`. A chain that cannot be read is tried again.
   */
  watchPair(watch: PairWatch, onChange: OnPairChange): () => void;
  /** Ends every watch and waits for what is being told. */
  close(): Promise<void>;
};

export type PriceWatchOptions = {
  readonly chains: ReadonlyMap<number, Pick<ServedChain, 'open' | 'reader' | 'pools'>>;
  readonly clock: Clock;
  readonly pollMs: number;
  /** Told of failures beyond an unreadable chain; the watch goes on. */
  readonly onProblem: (problem: unknown) => void;
};

type Watcher = {
  readonly pair: WatchedPair;
  readonly terms: WatchTerms;
  readonly onChange: OnPairChange;
  lastReported: ReportedPrice | undefined;
};

type ChainWatch = {
  readonly watchers: Set<Watcher>;
  readonly stop: AbortController;
  readonly done: Promise<void>;
};

// A node that is down is asked ever less often, up to this.
const longestPauseMs = 30_000;

/**
 * Watches prices block by block. However many watch a pair with an amount, it is priced once a block;
 * each watcher has its own terms and its own measure of what it was told. A chain is looked at only
 * while somebody watches it.
 */
export function createPriceWatch(options: PriceWatchOptions): PriceWatch {
  const { chains, clock, pollMs, onProblem } = options;
  const watches = new Map<number, ChainWatch>();

  function begin(chainId: number): ChainWatch {
    const watchers = new Set<Watcher>();
    const stop = new AbortController();
    const done = run(chainId, watchers, stop.signal).catch(onProblem);
    const watch = { watchers, stop, done };
    watches.set(chainId, watch);
    return watch;
  }

  async function run(chainId: number, watchers: Set<Watcher>, signal: AbortSignal): Promise<void> {
    const readings = new Map<string, PriceReading>();
    let block: Block | undefined;
    let pause = pollMs;
    // The first watcher is added right after this begins.
    await clock.turn();
    while (!signal.aborted) {
      try {
        block = await look(chainId, { watchers, readings, block, signal });
        pause = pollMs;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof SwapError)) onProblem(error);
        pause = Math.min(pause * 2, longestPauseMs);
      }
      await clock.sleep(pause, signal);
    }
  }

  async function look(
    chainId: number,
    state: {
      readonly watchers: Set<Watcher>;
      readonly readings: Map<string, PriceReading>;
      readonly block: Block | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<Block> {
    const { watchers, readings, signal } = state;
    const served = findServedChain(chains, chainId);
    const chain = await served.open(signal);
    const block = await served.reader.latestBlock({ signal });
    if (block.hash !== state.block?.hash) {
      readings.clear();
      await served.pools.advanceTo(block, { signal });
    }
    // Each pair with its amount is priced once, whoever watches it.
    for (const [key, group] of Map.groupBy(watchers, ({ pair }) => keyOf(pair))) {
      const [first] = group;
      if (first === undefined || signal.aborted) continue;
      const reading = readings.get(key) ?? (await price(first.pair, { chain, block, signal }));
      if (reading === undefined) continue;
      readings.set(key, reading);
      for (const watcher of group) {
        if (watchers.has(watcher)) await tell(watcher, reading, signal);
      }
      // Many searches in a row must not keep requests waiting.
      await clock.turn();
    }
    return block;
  }

  /** What is wrong with one pair keeps no other from being told; a chain that cannot be read is thrown. */
  async function price(
    pair: WatchedPair,
    at: Parameters<typeof readPrice>[1],
  ): Promise<PriceReading | undefined> {
    try {
      return await readPrice(pair, at);
    } catch (error) {
      const isRefusal = error instanceof SwapError;
      if (at.signal.aborted || (isRefusal && error.code === 'UPSTREAM_ERROR')) throw error;
      if (!isRefusal) onProblem(error);
      return undefined;
    }
  }

  async function tell(watcher: Watcher, reading: PriceReading, signal: AbortSignal): Promise<void> {
    const { terms, lastReported, onChange } = watcher;
    const judgement = judgeReading(reading, { lastReported, terms, now: clock.now() });
    if (lastReported !== undefined && judgement.kinds.length === 0) return;
    try {
      await onChange({ ...judgement, reading, before: lastReported }, signal);
      watcher.lastReported = judgement.lastReported;
    } catch (error) {
      if (!signal.aborted) onProblem(error);
    }
  }

  return {
    async readPair(pair, signal) {
      const reading = await readPairNow(chains, pair, signal);
      if (reading === undefined) return undefined;
      return judgeReading(reading, { lastReported: undefined, terms: { thresholdBps: 0 }, now: 0 })
        .lastReported;
    },
    watchPair({ chainId, tokenIn, tokenOut, amount, lastReported, ...terms }, onChange) {
      findServedChain(chains, chainId); // refused now rather than never told
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

function keyOf({ tokenIn, tokenOut, amount }: WatchedPair): string {
  return `${tokenIn} ${tokenOut} ${amount ?? 'one'}`;
}
