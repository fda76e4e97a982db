import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import { type Pool, poolId } from '../../src/swap/pools/pool.ts';
import { readPools } from '../../src/swap/pools/read-pools.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { compileProbe } from './compile-probe.ts';

const from = testAccounts[0]!.address;
let world: World;
let address: Address;

beforeAll(async () => {
  world = await openWorld({ isPatient: true });
  const made = await sendTransaction(world.evm, { from, data: compileProbe('LiveFees') });
  address = parseAddress(made.contractAddress ?? '');
});
afterAll(() => world.close());

async function read(facts: Pick<Pool, 'kind'> & Readonly<Record<string, unknown>>) {
  const tokens = { token0: world.token('UNI'), token1: world.token('USDC') };
  const pool: Pool = { id: poolId(address), address, exchange: 'live', ...tokens, ...facts };
  const block = await world.reader.latestBlock();
  return (await readPools(world.reader, { queries: [{ pool }], block })).get(pool.id);
}

it('reads the fee that a module sets, and not the one for modules that fail [Q26]', async () => {
  const state = await read({ kind: 'slipstream', tickSpacing: 50 });
  expect(state).toMatchObject({ kind: 'slipstream', fee: 445, tickSpacing: 50, tick: 0 });
});

it('reads the fee of a pair from its factory, and treats the pair as unreadable while that is paused [Q26]', async () => {
  const generation = 'velodrome-v2';
  const pair = { kind: 'solidly', generation, isStable: true, factory: address, feeBps: undefined };
  expect(await read(pair)).toMatchObject({ generation, feeBps: 7n, reserve1: 5_000_000n });
  const abi = parseAbi(['function setPaused(bool)']);
  const data = encodeFunctionData({ abi, args: [true] });
  await sendTransaction(world.evm, { from, to: address, data });
  expect(await read(pair)).toBe('unreadable');
});
