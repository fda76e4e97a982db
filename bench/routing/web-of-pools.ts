import type { Address } from '../../src/swap/model.ts';
import {
  makePair,
  makeRangePool,
  numberedAddress,
  type PoolSet,
  type RangeOrigin,
  type Token,
  type UniswapState,
} from './pool-set.ts';

/**
 * About `count` pools over a tenth as many tokens, at least 20, all of them linked to a hub. Prices are within 0.1% of
 * par. `rangeShare` of the pools are concentrated, the rest are pairs; each is between 10⁴ and 10⁷ whole tokens deep.
 */
export function webOfPools(count: number, { rangeShare }: { rangeShare: number }): PoolSet {
  let last = 3;
  const random = () => {
    last = (last * 1103515245 + 12345) & 0x7fffffff;
    return last / 2 ** 31;
  };
  const tokens = Array.from(
    { length: Math.max(20, Math.floor(count / 10)) },
    (_, index): Token => ({
      symbol: `T${index}`,
      address: numberedAddress(index + 1),
      decimals: 18,
      usd: 1,
    }),
  );
  const pools: UniswapState[] = [];
  const ranges = new Map<Address, RangeOrigin>();
  for (let index = 0; index < count; index++) {
    const isSpoke = index < tokens.length - 1;
    const a = tokens[isSpoke ? 0 : Math.floor(random() ** 2 * tokens.length)];
    const b = tokens[isSpoke ? index + 1 : Math.floor(random() * tokens.length)];
    if (a === undefined || b === undefined || a === b) continue;
    const usd = 10 ** (4 + random() * 3);
    const skew = 1 + (random() - 0.5) * 0.002;
    const address = numberedAddress(1e6 + index);
    if (random() >= rangeShare) {
      pools.push(makePair(address, { token: a, usd }, { token: b, usd: usd * skew }));
      continue;
    }
    const tokensOfPool = [a, b] as const;
    const made = makeRangePool({
      address,
      tokens: tokensOfPool,
      fee: 3000,
      usd: 2 * usd,
      skew,
      random,
    });
    pools.push(made.state);
    ranges.set(address, made);
  }
  return { tokens, pools, ranges };
}
