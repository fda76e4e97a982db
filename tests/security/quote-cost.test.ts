import { keccak256, numberToHex, slice } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createToken } from '../../src/devchain/tokens.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openWorld, type World } from '../support/open-world.ts';

const sender = parseAddress('0x00000000000000000000000000000000000057a4');

let world: World;
let quotes: Quotes;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  // On a fake clock no read times out, however busy the machine is.
  const clock = createFakeClock();
  quotes = await openQuotes({ deployment: ethereum, urls: [world.server.url], clock });
});
afterEach(() => quotes.close());

const quote = (tokenIn: Address, tokenOut: Address) =>
  quotes.quote({ tokenIn, tokenOut, sender, amountIn: 10n ** 18n });

/** An address without code. */
const nowhere = (number: number) => parseAddress(slice(keccak256(numberToHex(number)), 12));

/** The requests that keep the pools in use current at a new block. */
async function costOfBlock() {
  await world.evm.request({ method: 'evm_mine' });
  world.server.resetCounts();
  await quotes.warm();
  const { calls, bytes } = world.server;
  return { reads: [calls.get('eth_getLogs'), calls.get('eth_call')], bytes };
}

it('keeps nothing warm for quotes of tokens that do not exist [F12] [Q32]', async () => {
  await quote(world.token('WETH'), world.token('USDC'));
  const [pools, before] = [quotes.chain.pools.size, await costOfBlock()];
  for (let number = 0; number < 60; number += 1) {
    const tokens = [nowhere(number), nowhere(number + 1_000)] as const;
    await expect(quote(...tokens)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  }
  expect(quotes.chain.pools.size).toBe(pools);
  const after = await costOfBlock();
  expect(after.reads).toEqual(before.reads);
  // The last quote may still ask for the newest block, which takes a hundred bytes or two.
  expect(after.bytes).toBeLessThan(before.bytes + 1_000);
});

it('keeps nothing warm for a token that is in no pool [F12]', async () => {
  const { address } = await createToken(world.evm, { name: 'Lone', symbol: 'LONE', decimals: 18 });
  expect(await quote(parseAddress(address), world.token('USDC'))).toMatchObject({
    status: 'NoRoute',
  });
  expect(quotes.chain.pools.size).toBe(0);
});

it('asks the node once for a warm quote, with the newest block in the same request [Q31]', async () => {
  const ends = [world.token('WETH'), world.token('USDC')] as const;
  const first = await quote(...ends);
  world.server.resetCounts();
  expect(await quote(...ends)).toMatchObject({
    status: 'Successful',
    blockNumber: first.blockNumber,
  });
  expect(world.server.requests).toBe(1);
  expect(world.server.calls.get('eth_getBlockByNumber')).toBe(1);
  await world.evm.request({ method: 'evm_mine' });
  expect((await quote(...ends)).blockNumber).toBe(first.blockNumber + 1n);
});
