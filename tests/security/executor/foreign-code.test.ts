import { type Address, encodeFunctionData, type Hex, hexToBigInt, parseAbi, slice } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { impersonate, sendTransaction } from '../../../src/devchain/evm/transactions.ts';
import { executorBuilds } from '../../../src/swap/executor/executor-builds.ts';
import type { PoolState } from '../../../src/swap/pools/pool.ts';
import { poolKindOf } from '../../../src/swap/pools/pool-kinds.ts';
import { type ExecutorWorld, openExecutorWorld, payer } from './open-executor-world.ts';
import type { WorldPool } from './world-pool.ts';
import { writeProgram } from './write-program.ts';

type Frame = {
  readonly type: string;
  readonly from: Address;
  readonly to: Address;
  readonly error?: string;
  readonly calls?: readonly Frame[];
};

const executor = executorBuilds[0]!.address;
const farmAbi = parseAbi([
  'function setLmPool(address)',
  'function factory() view returns (address)',
]);

let world: ExecutorWorld;
beforeAll(async () => {
  world = await openExecutorWorld({ withEveryKind: true });
});
afterAll(() => world.evm.close());

/** Whom a pool calls in a swap, with the right to write, beside the executor, the pool and both tokens. */
async function calledBy({ address, kind, extra, tokens, tokenIn }: WorldPool): Promise<Address[]> {
  const zeroForOne = (tokenIn ?? tokens[0]) === tokens[0];
  const [paid, taken] = zeroForOne ? tokens : [tokens[1], tokens[0]];
  const hops = [{ kind, pool: address, extra, zeroForOne }];
  const program = { tokenIn: paid, tokenOut: taken, paths: [{ amount: 10n ** 18n, hops }] };
  const call = { from: payer, to: executor, data: writeProgram(program) };
  const params = [call, 'latest', { tracer: 'callTracer' }];
  const trace = (await world.evm.request({ method: 'debug_traceCall', params })) as Frame;
  expect(trace.error).toBeUndefined();
  const known = new Set([address, executor, ...tokens].map((one) => one.toLowerCase()));
  const frames = (frame: Frame): Frame[] => [frame, ...(frame.calls ?? []).flatMap(frames)];
  return frames(trace)
    .filter(({ type, from, to }) => {
      const mayWrite = type !== 'STATICCALL';
      return (
        mayWrite && from.toLowerCase() === address.toLowerCase() && !known.has(to.toLowerCase())
      );
    })
    .map(({ to }) => to);
}

const declares = (record: string, facts: object = {}) =>
  poolKindOf({ kind: record }).runsForeignCode(facts as PoolState);

describe('pools that run foreign code in a swap', () => {
  it('declare it, whatever kind they are of [F29]', async () => {
    const seen = new Map<string, boolean>();
    for (const pool of world.pools) {
      const isForeign = (await calledBy(pool)).length > 0;
      seen.set(pool.record, (seen.get(pool.record) ?? false) || isForeign);
    }
    expect(seen.size).toBe(7);
    for (const [record, isForeign] of seen) {
      // A pool may run foreign code that those of this chain do not have.
      if (isForeign) expect(declares(record), record).toBe(true);
    }
    // The pools of Algebra write to a contract beside them: without it the proof would be of nothing.
    expect(seen.get('algebra')).toBe(true);
    expect(['algebra', 'curve', 'erc4626'].map((record) => declares(record))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('are those of PancakeSwap V3 too, which call the farm that their exchange gives them [F29]', async () => {
    const farm = await world.deployScriptedPool();
    const hasFarm: WorldPool[] = [];
    await world.undone(async () => {
      for (const pool of world.pools.filter(({ record }) => record === 'concentrated')) {
        const read = encodeFunctionData({ abi: farmAbi, functionName: 'factory' });
        const params = [{ to: pool.address, data: read }, 'latest'];
        const answer = (await world.evm.request({ method: 'eth_call', params })) as Hex;
        const factory = slice(answer, 12);
        await impersonate(world.evm, factory);
        const data = encodeFunctionData({ abi: farmAbi, functionName: 'setLmPool', args: [farm] });
        await sendTransaction(world.evm, { from: factory, to: pool.address, data }).catch(() => {});
        if ((await calledBy(pool)).some((one) => hexToBigInt(one) === hexToBigInt(farm)))
          hasFarm.push(pool);
      }
    });
    // Those of Uniswap V3 have no farm to be given.
    expect(hasFarm).toHaveLength(6);
    expect(declares('concentrated', { callsFarm: true })).toBe(true);
    expect(declares('concentrated')).toBe(false);
  });
});
