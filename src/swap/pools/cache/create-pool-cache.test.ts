import { getEventListeners } from 'node:events';
import { numberToHex } from 'viem';
import { expect, it } from 'vitest';
import { createFakeClock } from '../../../../tests/support/fake-clock.ts';
import type { Block, ChainReader } from '../../chain/chain-reader.ts';
import { parseAddress } from '../../model.ts';
import { poolId } from '../pool.ts';
import { createPoolCache } from './create-pool-cache.ts';

const addressOf = (number: number) => parseAddress(numberToHex(number, { size: 20 }));
const pool = {
  kind: 'constant-product',
  exchange: 'uniswap-v2',
  id: poolId(addressOf(1)),
  address: addressOf(1),
  token0: addressOf(2),
  token1: addressOf(3),
  feeNumerator: 997n,
  feeDenominator: 1_000n,
};

function blockOf(number: number): Block {
  return {
    number: BigInt(number),
    hash: numberToHex(number, { size: 32 }),
    parentHash: numberToHex(number - 1, { size: 32 }),
    timestamp: 0n,
    gasLimit: 30_000_000n,
    gasPrice: 1n,
  };
}

/** A chain without code at any address. */
const reader: ChainReader = {
  chainId: 1,
  latestBlock: () => Promise.reject(new Error('not asked')),
  callWithHead: () => Promise.reject(new Error('not asked')),
  call: async (calls) => calls.map(() => ({ status: 'returned', data: '0x0100' })),
  logs: async () => [],
};

it('leaves no abort listener behind, however many blocks come [F22]', async () => {
  const cache = createPoolCache({
    reader,
    clock: createFakeClock(),
    capacity: 10,
    lifetimeMs: 60_000,
  });
  const { signal } = new AbortController();
  await cache.readAt(blockOf(1), [{ pool }], { signal });
  for (let number = 2; number <= 5_000; number += 1) {
    await cache.advanceTo(blockOf(number), { signal });
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('aborts a read when every caller who waited for it has left', async () => {
  const begun: AbortSignal[] = [];
  const hanging: ChainReader = {
    ...reader,
    call: (_calls, { signal }) => {
      if (signal !== undefined) begun.push(signal);
      return new Promise(() => {});
    },
  };
  const clock = createFakeClock();
  const cache = createPoolCache({ reader: hanging, clock, capacity: 10, lifetimeMs: 60_000 });
  const callers = [new AbortController(), new AbortController()];
  const waiting = callers.map(({ signal }) => cache.readAt(blockOf(1), [{ pool }], { signal }));
  const given = new Error('left');
  for (const caller of callers) caller.abort(given);
  for (const wait of waiting) await expect(wait).rejects.toBe(given);
  expect(begun.map(({ aborted }) => aborted)).toEqual([true]);
});

it('knows which tokens are in pools in use, until the last of these is forgotten [F12]', async () => {
  const clock = createFakeClock();
  const cache = createPoolCache({ reader, clock, capacity: 2, lifetimeMs: 60_000 });
  const [shared, second, third] = [addressOf(2), addressOf(3), addressOf(4)] as const;
  const other = { ...pool, id: poolId(addressOf(9)), address: addressOf(9), token1: third };
  const inUse = () => [shared, second, third].map((token) => cache.isInUse(token));
  await cache.readAt(blockOf(1), [{ pool }, { pool }, { pool: other }]);
  expect(inUse()).toEqual([true, true, true]);
  clock.advance(40_000);
  await cache.readAt(blockOf(1), [{ pool: other }]);
  clock.advance(40_000);
  expect(inUse()).toEqual([true, false, true]);
  clock.advance(40_000);
  expect(inUse()).toEqual([false, false, false]);
});

it('keeps pools in use that are used again without a read, and makes their block the newest [Q31]', async () => {
  const clock = createFakeClock();
  const cache = createPoolCache({ reader, clock, capacity: 10, lifetimeMs: 60_000 });
  const queries = [{ pool }];
  await cache.readAt(blockOf(1), queries);
  await cache.readAt(blockOf(2), queries);
  for (let second = 0; second < 100; second += 1) {
    clock.advance(1_000);
    cache.useAgain(blockOf(1), queries);
  }
  expect(cache.isInUse(pool.token0)).toBe(true);
  expect(cache.block).toEqual(blockOf(1));
  clock.advance(60_000);
  expect(cache.isInUse(pool.token0)).toBe(false);
});
