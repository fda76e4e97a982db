import { setTimeout as sleep } from 'node:timers/promises';
import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { concentratedFeeTiers } from '../../src/devchain/known-exchanges.ts';
import { addConcentratedPool } from '../../src/devchain/pools/add-concentrated-pool.ts';
import { addConstantProductPool } from '../../src/devchain/pools/add-constant-product-pool.ts';
import { addManagedPool } from '../../src/devchain/pools/add-provided-pool.ts';
import { createToken } from '../../src/devchain/tokens.ts';
import type { ConcentratedState } from '../../src/swap/pools/concentrated/concentrated-pool.ts';
import { openRpcServer, type RpcServer } from '../../tests/support/rpc-server.ts';
import { mainnetLikePools, mainnetTokens } from '../routing/mainnet-like-pools.ts';
import type { PoolSet } from '../routing/pool-set.ts';
import { placeUniswapV4, uniswapV4 } from './place-uniswap-v4.ts';

export type SeededChain = {
  readonly evm: Evm;
  /** Whether a concentrated pool of the set is in Uniswap V4's manager, not in its own contract. */
  isManaged(pool: ConcentratedState): boolean;
  readonly server: RpcServer;
  readonly set: PoolSet;
  /** For how many milliseconds between two moments the node worked on at least one request. */
  nodeTimeBetween(start: number, end: number): number;
  /** The longest sequence of requests between two moments in which each came after the answer to the one before. */
  roundTripsBetween(start: number, end: number): number;
  /** Delays every answer by this time. */
  slowDown(ms: number): void;
  close(): Promise<void>;
};

/**
 * A chain with the id of Ethereum and a pool set of the routing benchmark, in Uniswap's own contracts at their own
 * addresses. A node whose work is timed serves it over HTTP. With `remembers` the node caches its answers, for measurements
 * of the server's own work. With `hasV4` the pools of the two lowest fees are in Uniswap V4, and our executor is deployed to
 * trade in them.
 */
export async function openSeededChain(
  seed: number,
  { remembers = false, hasV4 = false } = {},
): Promise<SeededChain> {
  const evm = await openEvm({ chainId: 1 });
  await deployUniswap(evm);
  if (hasV4) await placeUniswapV4(evm);
  const isManaged = ({ fee }: ConcentratedState) => hasV4 && fee <= 500;
  for (const [symbol, token] of Object.entries(mainnetTokens)) {
    if (token !== mainnetTokens.WETH) await createToken(evm, { ...token, name: symbol });
  }
  const set = mainnetLikePools(seed, { arbitrage: false });
  await addPools(evm, set, isManaged);
  let work: { start: number; end: number }[] = [];
  let delayMs = 0;
  const ask = remembers ? rememberAnswers((body) => evm.handle(body)) : evm.handle;
  const server = await openRpcServer({
    async handle(body) {
      const start = performance.now();
      if (delayMs > 0) await sleep(delayMs);
      const answer = await ask(body);
      work.push({ start, end: performance.now() });
      return answer;
    },
  });
  return {
    evm,
    isManaged,
    server,
    set,
    nodeTimeBetween(start, end) {
      let total = 0;
      let seenUntil = start;
      work = work.filter((piece) => piece.end > start);
      for (const piece of work.toSorted((left, right) => left.start - right.start)) {
        const [from, to] = [Math.max(piece.start, seenUntil), Math.min(piece.end, end)];
        total += Math.max(0, to - from);
        seenUntil = Math.max(seenUntil, to);
      }
      return total;
    },
    roundTripsBetween(start, end) {
      let trips = 0;
      let answeredAt = start;
      for (const piece of work.toSorted((left, right) => left.end - right.end)) {
        if (piece.start < answeredAt || piece.end > end) continue;
        trips += 1;
        answeredAt = piece.end;
      }
      return trips;
    },
    slowDown(ms) {
      delayMs = ms;
    },
    async close() {
      await server.close();
      evm.close();
    },
  };
}

/** The chain makes no blocks, so requests that differ only in the deadline of a transaction have the same answer. */
function rememberAnswers(handle: (body: string) => Promise<string>) {
  const answers = new Map<string, Promise<string>>();
  // The deadline has five bytes. The first three stay the same for up to eighteen hours.
  const deadline = Math.floor(Date.now() / 1_000 / 2 ** 16)
    .toString(16)
    .padStart(6, '0');
  return (body: string): Promise<string> => {
    const [start = '', ...rest] = body.split(deadline);
    const question = start + rest.map((part) => part.slice(4)).join('');
    const answer = answers.get(question) ?? handle(body);
    answers.set(question, answer);
    return answer;
  };
}

async function addPools(
  evm: Evm,
  { pools, ranges }: PoolSet,
  isManaged: SeededChain['isManaged'],
): Promise<void> {
  for (const pool of pools) {
    const { token0, token1 } = pool;
    if (pool.kind === 'constant-product') {
      const reserves = [pool.reserve0, pool.reserve1] as const;
      await addConstantProductPool(evm, { tokens: [token0, token1], reserves });
      continue;
    }
    const fee = concentratedFeeTiers.find((tier) => tier.fee === pool.fee)?.fee;
    const positions = ranges.get(pool.address)?.positions;
    if (fee === undefined || positions === undefined) throw new Error('not a pool of Uniswap V3');
    const { sqrtPriceX96 } = pool;
    const made = { token0, token1, fee, sqrtPriceX96, positions };
    if (isManaged(pool)) await addManagedPool(evm, made, uniswapV4.manager);
    else await addConcentratedPool(evm, made);
  }
}
