import type { Clock } from '../../kernel/wait/clock.ts';
import type { Block } from '../chain/chain-reader.ts';
import { SwapError } from '../model.ts';
import type { ServedChain } from '../served-chain.ts';
import {
  type Judgement,
  judgeReading,
  type ReportedPrice,
  type WatchTerms,
} from './judge-reading.ts';
import { type PriceReading, readPrice, type WatchedPair } from './price-reading.ts';

/**
 * A change or, without kinds, the first reading of a new watch. `before` is what counted as reported until now, and
 * `lastReported` what counts from now on.
 */
export type PairChange = Judgement & {
  readonly reading: PriceReading;
  readonly before: ReportedPrice | undefined;
};

/** Receives a change. If it rejects, the change is reported again with the next look at the chain. */
export type OnPairChange = (change: PairChange, signal: AbortSignal) => Promise<void> | void;

export type Watcher = {
  readonly pair: WatchedPair;
  readonly terms: WatchTerms;
  readonly onChange: OnPairChange;
  lastReported: ReportedPrice | undefined;
};

export type ChainWatchOptions = {
  /** The watchers; the set changes while the chain is watched. */
  readonly watchers: Set<Watcher>;
  readonly clock: Clock;
  readonly pollMs: number;
  readonly onReading?: (pair: WatchedPair, reading: PriceReading) => void;
  /** Called for failures other than an unreadable chain; the watch goes on. */
  readonly onProblem: (problem: unknown) => void;
  readonly signal: AbortSignal;
};

// The pause doubles while the chain cannot be read, up to this.
const longestPauseMs = 30_000;

/** Reports to the watchers of one chain, block by block, until the signal fires. */
export async function watchChain(
  served: Pick<ServedChain, 'open' | 'reader' | 'pools'>,
  options: ChainWatchOptions,
): Promise<void> {
  const { clock, pollMs, onProblem, signal } = options;
  const readings = new Map<string, PriceReading | undefined>();
  let block: Block | undefined;
  let pause = pollMs;
  // The first watcher is added right after this begins.
  await clock.turn();
  while (!signal.aborted) {
    try {
      block = await look(served, { ...options, readings, block });
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
  served: Pick<ServedChain, 'open' | 'reader' | 'pools'>,
  state: ChainWatchOptions & {
    /** The readings of the watched pairs at the block that was seen last; undefined for a pair without a price. */
    readonly readings: Map<string, PriceReading | undefined>;
    readonly block: Block | undefined;
  },
): Promise<Block> {
  const { watchers, readings, clock, signal } = state;
  const chain = await served.open(signal);
  const block = await served.reader.latestBlock({ signal });
  if (block.hash !== state.block?.hash) {
    readings.clear();
    await served.pools.advanceTo(block, { signal });
  }
  // Each pair with its amount is priced once, whoever watches it.
  const groups = Map.groupBy(watchers, ({ pair }) => keyOf(pair));
  for (const key of readings.keys()) if (!groups.has(key)) readings.delete(key);
  for (const [key, group] of groups) {
    const [first] = group;
    if (first === undefined || signal.aborted) continue;
    if (!readings.has(key)) readings.set(key, await price(first.pair, { ...state, chain, block }));
    const reading = readings.get(key);
    if (reading !== undefined) {
      if (first.pair.amount === undefined) state.onReading?.(first.pair, reading);
      for (const watcher of group) if (watchers.has(watcher)) await report(watcher, reading, state);
    }
    // Many searches in a row must not keep requests waiting.
    await clock.turn();
  }
  return block;
}

/** A pair that cannot be priced does not keep others from being reported; a chain that cannot be read is thrown. */
async function price(
  pair: WatchedPair,
  { onProblem, ...at }: Parameters<typeof readPrice>[1] & Pick<ChainWatchOptions, 'onProblem'>,
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

async function report(
  watcher: Watcher,
  reading: PriceReading,
  { clock, onProblem, signal }: ChainWatchOptions,
): Promise<void> {
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

function keyOf({ tokenIn, tokenOut, amount }: WatchedPair): string {
  return `${tokenIn} ${tokenOut} ${amount ?? 'one'}`;
}
