import { describe, expect, test } from 'vitest';
import { type KnownPool, knownPools } from '../../../tests/vectors/known-pools.ts';
import { publicDeployments } from '../deployments/public-deployments.ts';
import { parseAddress } from '../model.ts';
import { computePoolAddress as computeConcentrated } from './concentrated/concentrated.ts';
import { computePoolAddress as computeConstantProduct } from './constant-product.ts';
import { type Exchange, poolKindOf } from './pool-kinds.ts';

describe('the address of a pool, from the registry alone', () => {
  test.each(knownPools)('is the real one on chain $chainId, $exchange', (known) => {
    expect(compute(known)).toBe(known.pool);
  });

  test.each(knownPools.slice(0, 5))(
    'does not depend on the order of tokens, $exchange',
    (known) => {
      expect(compute({ ...known, tokenA: known.tokenB, tokenB: known.tokenA })).toBe(known.pool);
    },
  );

  test('is proved by a real pool for every exchange but these', () => {
    const proved = new Set(knownPools.map(({ chainId, exchange }) => `${chainId} ${exchange}`));
    const unproved = publicDeployments.flatMap(({ chainId, exchanges }) =>
      exchanges
        .filter((exchange) => 'initCodeHash' in exchange)
        .map(({ name }) => `${chainId} ${name}`)
        .filter((key) => !proved.has(key)),
    );
    expect(unproved).toMatchInlineSnapshot(`
      [
        "42161 pancakeswap-v2",
        "42161 zyberswap-v3",
        "8453 sushiswap-v2",
        "10 sushiswap-v2",
        "10 velodrome-slipstream-2",
        "137 uniswap-v2",
        "43114 uniswap-v2",
        "43114 sushiswap-v2",
        "250 sushiswap-v2",
        "59144 uniswap-v2",
        "59144 sushiswap-v2",
        "59144 pancakeswap-v2",
        "59144 pancakeswap-v3",
        "534352 sushiswap-v2",
        "81457 sushiswap-v2",
        "34443 swapmode-v3",
        "146 sushiswap-v2",
        "143 uniswap-v2",
        "143 pancakeswap-v2",
        "4326 uniswap-v3",
        "4326 uniswap-v2",
        "324 pancakeswap-v2",
        "1101 sushiswap-v2",
        "1101 quickswap-v3",
        "42170 sushiswap-v2",
        "42220 sushiswap-v2",
        "2222 sushiswap-v2",
        "1088 sushiswap-v2",
        "314 sushiswap-v2",
        "1116 sushiswap-v2",
        "288 sushiswap-v2",
        "56288 sushiswap-v2",
        "199 sushiswap-v2",
        "11235 sushiswap-v2",
        "108 sushiswap-v2",
        "7000 sushiswap-v2",
        "2046399126 sushiswap-v2",
        "30 sushiswap-v2",
        "43111 sushiswap-v2",
        "129399 sushiswap-v2",
        "747474 sushiswap-v2",
        "999 uniswap-v3",
        "999 uniswap-v2",
        "196 uniswap-v3",
        "196 uniswap-v2",
      ]
    `);
  });
});

function compute(known: KnownPool): string {
  const exchange = findExchange(known);
  const tokens = { tokenA: parseAddress(known.tokenA), tokenB: parseAddress(known.tokenB) };
  if (exchange.kind === 'concentrated') {
    return computeConcentrated(exchange, { ...tokens, fee: known.fee! });
  }
  if (exchange.kind === 'constant-product') return computeConstantProduct(exchange, tokens);
  const pair = { tokens: [tokens.tokenA, tokens.tokenB] } as const;
  const discovered = poolKindOf(exchange).discover(exchange, pair);
  const [first] = discovered;
  // An exchange may have several pools for the same tokens.
  return (discovered.find(({ address }) => address === known.pool) ?? first)!.address;
}

function findExchange({ chainId, exchange }: KnownPool): Exchange {
  const chain = publicDeployments.find((deployment) => deployment.chainId === chainId)!;
  return chain.exchanges.find(({ name }) => name === exchange)!;
}
