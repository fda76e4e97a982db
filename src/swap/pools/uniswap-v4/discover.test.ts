import { expect, it } from 'vitest';
import { ethereum } from '../../deployments/chains/ethereum.ts';
import { parseAddress } from '../../model.ts';
import { discoverUniswapV4 } from './discover.ts';
import type { UniswapV4Exchange } from './uniswap-v4-pool.ts';

const exchange = ethereum.exchanges.find(
  (one): one is UniswapV4Exchange => one.kind === 'uniswap-v4',
)!;
const weth = ethereum.wrappedNative!;
const usdc = parseAddress('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
const dai = parseAddress('0x6B175474E89094C44Da98b954EedeAC495271d0F');

it('knows a pool by the hash of its key, not by its address [Q26] [Q27]', () => {
  const tokens = [usdc, weth] as const;
  const pools = discoverUniswapV4(exchange, { tokens, wrappedNative: weth });
  expect(new Set(pools.map(({ address }) => address))).toEqual(new Set([exchange.factory]));
  expect(new Set(pools.map(({ id }) => id)).size).toBe(8);
  const native = pools.find(({ key }) => key.fee === 500 && BigInt(key.currency0) === 0n);
  // The id of the pool for ETH and USDC at 0.05% on Ethereum.
  expect(native?.key.hash).toBe(
    '0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27',
  );
  // The wrapped token comes first, as the native currency does in the pool, though it sorts second.
  expect([native?.token0, native?.token1]).toEqual([weth, usdc]);
});

it('looks for the native currency only where the wrapped token is one of the two [Q26]', () => {
  const pools = discoverUniswapV4(exchange, { tokens: [usdc, dai], wrappedNative: weth });
  expect(pools.map(({ key }) => key.fee)).toEqual([100, 500, 3000, 10_000]);
  expect(discoverUniswapV4(exchange, { tokens: [usdc, weth] })).toHaveLength(4);
});
