import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployByCreate2, sendTransaction } from '../../../src/devchain/evm/transactions.ts';
import {
  addConstantProductPool,
  sortTokens,
} from '../../../src/devchain/pools/add-constant-product-pool.ts';
import { createToken } from '../../../src/devchain/tokens.ts';
import { executorBuilds, formerExecutors } from '../../../src/swap/executor/executor-builds.ts';
import formerDeployment from '../../vectors/former-executor.json' with { type: 'json' };
import { type ExecutorWorld, openExecutorWorld, payer, recipient } from './open-executor-world.ts';
import { flag, type Program, writeProgram } from './write-program.ts';

const whole = 10n ** 18n;
const integrator: Address = `0x${'fe'.repeat(20)}`;

let world: ExecutorWorld;
let tokenIn: Address;
/** A token that keeps 3 % of every transfer. */
let taxed: Address;
let pair: Address;

beforeAll(async () => {
  world = await openExecutorWorld();
  tokenIn = world.tokens[1]!;
  const names = { symbol: 'TAXED', name: 'TAXED', decimals: 18 };
  taxed = (await createToken(world.evm, { ...names, kind: 'taxed', taxBps: 300 })).address;
  pair = await addConstantProductPool(world.evm, {
    tokens: sortTokens(tokenIn, taxed),
    reserves: [1_000n * whole, 1_000n * whole],
  });
  await deployByCreate2(world.evm, formerDeployment.transient as Hex);
  const args = [formerExecutors[0]!.address, maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await sendTransaction(world.evm, { from: payer, to: tokenIn, data });
});
afterAll(() => world.evm.close());

const bought = (more: Partial<Program> = {}): Program => ({
  tokenIn,
  tokenOut: taxed,
  paths: [
    {
      amount: whole,
      hops: [{ kind: 0, pool: pair, extra: '0x26f2', zeroForOne: tokenIn < taxed }],
    },
  ],
  ...more,
});

/** What a program leaves at the recipient; undefined if it reverts. */
function received(executor: Address, program: Program, holder: Address = recipient) {
  return world.undone(async () => {
    const before = await world.balanceOf(taxed, holder);
    const data = writeProgram(program);
    if (!(await world.send({ to: executor, data }))) return undefined;
    return (await world.balanceOf(taxed, holder)) - before;
  });
}

/** Every way in which a program pays out a token. */
const ways: readonly (readonly [string, Partial<Program>, Address])[] = [
  ['direct', { flags: flag.direct, recipient }, recipient],
  ['direct, to the caller', { flags: flag.direct }, payer],
  ['gathered', { recipient }, recipient],
  ['gathered, for the caller', {}, payer],
  ['with a fee', { recipient, fee: { recipient: integrator, share: 10_000_000 } }, recipient],
  ['with a fee to the recipient', { recipient, fee: { recipient, share: 10_000_000 } }, recipient],
];

describe.each(executorBuilds)('the minimum of the executor ($name)', ({ address: executor }) => {
  it.each(ways)('is what arrives of a token that taxes transfers: %s [F25]', async (...way) => {
    const [, more, holder] = way;
    const arrived = (await received(executor, bought(more), holder))!;
    // A fee that goes to the recipient arrives too, but is not part of what they were promised.
    const isOwnFee = more.fee?.recipient === holder;
    const most = isOwnFee ? (arrived * 99n) / 100n : arrived;
    const atMost = await received(executor, bought({ ...more, minimum: most - 1n }), holder);
    expect(atMost).toBe(arrived);
    const beyond = bought({ ...more, minimum: most + 2n });
    expect(await received(executor, beyond, holder)).toBeUndefined();
    expect(await world.refusal({ to: executor, data: writeProgram(beyond) })).toContain(
      'too little received',
    );
  });

  it('stays out of reach of an integrator who names the executor itself [F25]', async () => {
    const fee = { recipient: executor, share: 10_000_000 };
    const data = writeProgram(bought({ fee }));
    expect(await world.refusal({ to: executor, data })).toContain('recipient');
  });
});

describe('the executor of the version before', () => {
  it('delivered less than the minimum, and is not used any more [F25]', async () => {
    const { address } = formerExecutors[0]!;
    const arrived = (await received(address, bought({ recipient })))!;
    const minimum = arrived + 1n;
    expect(await received(address, bought({ recipient, minimum }))).toBe(arrived);
    expect(executorBuilds.map((build) => build.address)).not.toContain(address);
  });
});
