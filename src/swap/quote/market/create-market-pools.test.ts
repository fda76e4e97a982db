import { expect, it } from 'vitest';
import type { Address } from '../../model.ts';
import type { Pool } from '../../pools/pool.ts';
import type { Exchange } from '../../pools/pool-kinds.ts';
import { createPoolDiscovery } from './create-market-pools.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as Address;
const common = { initCodeHash: `0x${'12'.repeat(32)}`, source: 'a test' } as const;
const exchanges: Exchange[] = [
  {
    ...common,
    kind: 'constant-product',
    name: 'two',
    factory: address('a'),
    feeNumerator: 997,
    feeDenominator: 1000,
  },
  {
    ...common,
    kind: 'concentrated',
    name: 'three',
    factory: address('b'),
    feeTiers: [
      { fee: 500, tickSpacing: 10 },
      { fee: 3000, tickSpacing: 60 },
    ],
  },
];
const [base, weth] = [address('1'), address('2')];

it('names one pool for each pair, exchange and fee tier, its tokens in order', () => {
  const pools = createPoolDiscovery({ exchanges, baseTokens: [] })([address('9'), address('5')]);
  expect(pools.map(({ exchange, token0, token1 }) => [exchange, token0, token1])).toEqual([
    ['two', address('5'), address('9')],
    ['three', address('5'), address('9')],
    ['three', address('5'), address('9')],
  ]);
  expect(new Set(pools.map((pool) => pool.address)).size).toBe(3);
});

it('pairs both tokens with every base token, and base tokens with each other', () => {
  const pools = createPoolDiscovery({ exchanges, baseTokens: [base, weth] })([
    address('9'),
    address('5'),
  ]);
  const pairs = new Set(pools.map(({ token0, token1 }) => `${token0} ${token1}`));
  expect(pairs.size).toBe(6);
  expect(pools).toHaveLength(6 * 3);
});

it('pairs the further tokens of the chain with all others where asked to, and only there [Q50]', () => {
  const chain = { exchanges, baseTokens: [base], furtherTokens: [weth] };
  const discover = createPoolDiscovery(chain);
  const ends = [address('9'), address('5')] as const;
  expect(discover(ends)).toHaveLength(3 * 3);
  expect(discover(ends, { looksFurther: true })).toHaveLength(6 * 3);
});

it('counts a token that is a base token itself once', () => {
  const pools = createPoolDiscovery({ exchanges, baseTokens: [base, weth] })([base, address('5')]);
  expect(pools).toHaveLength(3 * 3);
});

it('finds the same pools again, and does not mix up pairs that share a token', () => {
  const discover = createPoolDiscovery({ exchanges, baseTokens: [base] });
  const first = discover([address('9'), address('5')]);
  const other = discover([address('9'), address('6')]);
  expect(discover([address('9'), address('5')])).toEqual(first);
  const isForeign = (pool: Pool) => [pool.token0, pool.token1].includes(address('5'));
  expect(other.filter(isForeign)).toEqual([]);
});
