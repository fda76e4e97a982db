import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  size,
  slice,
  toFunctionSelector,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executorBuilds } from '../../../src/swap/executor/executor-builds.ts';
import {
  type ExecutorWorld,
  openExecutorWorld,
  payer,
  recipient,
  type Step,
  victim,
} from './open-executor-world.ts';
import type { WorldPool } from './world-pool.ts';
import { flag, type Program, type ProgramHop, writeProgram } from './write-program.ts';

const whole = 10n ** 18n;
const callbackAbi = parseAbi([
  'function uniswapV3SwapCallback(int256 delta0, int256 delta1, bytes data)',
  'function pancakeV3SwapCallback(int256 delta0, int256 delta1, bytes data)',
  'function algebraSwapCallback(int256 delta0, int256 delta1, bytes data)',
  'function unlockCallback(bytes data) returns (bytes)',
]);
const selectors = {
  concentrated: toFunctionSelector('swap(address,bool,int256,uint160,bytes)'),
  pair: toFunctionSelector('swap(uint256,uint256,address,bytes)'),
  reserves: toFunctionSelector('getReserves()'),
  unlock: toFunctionSelector('unlock(bytes)'),
  deposit: toFunctionSelector('deposit(uint256,address)'),
  transferFrom: toFunctionSelector('transferFrom(address,address,uint256)'),
  exchange: toFunctionSelector('exchange(int128,int128,uint256,uint256)'),
};

let world: ExecutorWorld;
let tokenIn: Address;
let tokenOut: Address;
let lying: Address;

beforeAll(async () => {
  world = await openExecutorWorld();
  [, tokenIn, tokenOut] = world.tokens as [Address, Address, Address];
  lying = await world.deployScriptedPool();
});
afterAll(() => world.evm.close());

const wordPair = (one: bigint, other: bigint) =>
  encodeAbiParameters(parseAbiParameters('int256, int256'), [one, other]);

const callback = (name: 'uniswapV3SwapCallback' | 'algebraSwapCallback', owed: bigint, data: Hex) =>
  encodeFunctionData({ abi: callbackAbi, functionName: name, args: [owed, -1n, data] });

/** Data that names the victim as payer, in the forms that routers have trusted. */
const namesVictim = () =>
  encodeAbiParameters(parseAbiParameters('address, address, uint256'), [
    tokenIn,
    victim,
    1_000n * whole,
  ]);

const through = (kind: number, more: Partial<ProgramHop> = {}): Program => ({
  flags: flag.direct,
  tokenIn,
  tokenOut,
  paths: [{ amount: whole, hops: [{ kind, zeroForOne: true, pool: lying, ...more }] }],
});

function realPool(kind: number): WorldPool {
  return world.pools.find(
    ({ kind: of, tokens }) => of === kind && tokens.includes(tokenIn) && tokens.includes(tokenOut),
  )!;
}

function honest(kind: number, more: Partial<Program> = {}): Program {
  const { address, extra, tokens } = realPool(kind);
  const hop = { kind, pool: address, extra, zeroForOne: tokens[0] === tokenIn };
  return {
    flags: flag.direct,
    tokenIn,
    tokenOut,
    paths: [{ amount: whole, hops: [hop] }],
    ...more,
  };
}

/** All balances that the attacks aim at. */
const holdings = async () => ({
  victim: await Promise.all(world.tokens.map((token) => world.balanceOf(token, victim))),
  payer: await world.balanceOf(tokenIn, payer),
  lying: await world.balanceOf(tokenIn, lying),
});

describe.each(executorBuilds)('the executor ($name), attacked', ({ address: executor }) => {
  const run = (program: Program, value = 0n) =>
    world.send({ to: executor, data: writeProgram(program), value });
  const why = (program: Program) => world.refusal({ to: executor, data: writeProgram(program) });
  const playing = (selector: Hex, steps: readonly Step[], answer: Hex) =>
    world.script(lying, selector, steps, answer);

  it('pays nothing for an unexpected callback, whatever payer its data names [Q24]', async () => {
    const before = await holdings();
    for (const functionName of [
      'uniswapV3SwapCallback',
      'pancakeV3SwapCallback',
      'algebraSwapCallback',
    ] as const) {
      const args = [whole, -1n, namesVictim()] as const;
      const data = encodeFunctionData({ abi: callbackAbi, functionName, args });
      expect(await world.refusal({ to: executor, data })).toContain('not the pool');
    }
    const unlocked = encodeFunctionData({
      abi: callbackAbi,
      functionName: 'unlockCallback',
      args: [namesVictim()],
    });
    expect(await world.refusal({ to: executor, data: unlocked })).toContain('not the pool');
    expect(await holdings()).toEqual(before);
  });

  it('lets the caller pay, though the pool names another payer in the data of its callback [Q24]', async () => {
    await world.undone(async () => {
      const before = await holdings();
      const paid = callback('algebraSwapCallback', whole, namesVictim());
      await playing(
        selectors.concentrated,
        [{ target: executor, data: paid }],
        wordPair(whole, -whole),
      );
      expect(await run(through(1))).toBe(true);
      const after = await holdings();
      expect(after.victim).toEqual(before.victim);
      expect(before.payer - after.payer).toBe(whole);
    });
  });

  it('pays a pool once, and only the amount of the program [Q24]', async () => {
    await world.undone(async () => {
      const once: Step = { target: executor, data: callback('uniswapV3SwapCallback', whole, '0x') };
      const answer = wordPair(whole, -whole);
      await playing(selectors.concentrated, [once, once], answer);
      expect(await why(through(1))).toContain('not the pool');
      const before = await holdings();
      await playing(selectors.concentrated, [once, { ...once, mustSucceed: false }], answer);
      expect(await run(through(1))).toBe(true);
      expect((await holdings()).lying - before.lying).toBe(whole);
      expect((await world.outcomes(lying)).slice(-2)).toEqual([true, false]);
      const more = callback('uniswapV3SwapCallback', whole + 1n, '0x');
      await playing(selectors.concentrated, [{ target: executor, data: more }], answer);
      expect(await why(through(1))).toContain('not the amount');
      const both = encodeFunctionData({
        abi: callbackAbi,
        functionName: 'uniswapV3SwapCallback',
        args: [-whole, maxUint256 >> 1n, '0x'],
      });
      await playing(selectors.concentrated, [{ target: executor, data: both }], answer);
      expect(await why(through(1))).toContain('not the amount');
    });
  });

  it('reverts if a pool takes nothing or returns nothing [Q24]', async () => {
    await world.undone(async () => {
      await playing(selectors.concentrated, [], wordPair(whole, -whole));
      expect(await why(through(1))).toContain('pool took nothing');
      const paid = callback('uniswapV3SwapCallback', whole, '0x');
      await playing(selectors.concentrated, [{ target: executor, data: paid }], '0x');
      expect(await run(through(1))).toBe(false);
      expect(
        await run({
          ...through(1),
          paths: [{ amount: whole, hops: [{ kind: 1, zeroForOne: true, pool: victim }] }],
        }),
      ).toBe(false);
    });
  });

  it('continues with no more than a pool really paid, whatever it claims [Q24]', async () => {
    await world.undone(async () => {
      const paid = callback('uniswapV3SwapCallback', whole, '0x');
      const { address, tokens } = realPool(1);
      const onward = { kind: 1, pool: address, zeroForOne: tokens[0] === tokenIn };
      const hops = [{ kind: 1, zeroForOne: true, pool: lying, next: tokenIn }, onward];
      for (const claimed of [whole, maxUint256 >> 128n, 1n << 254n, -(1n << 255n)]) {
        const answer = wordPair(whole, claimed < 0n ? claimed : -claimed);
        await playing(selectors.concentrated, [{ target: executor, data: paid }], answer);
        expect(await run({ ...through(1), paths: [{ amount: whole, hops }] })).toBe(false);
      }
      // The last claim is the lowest signed number, whose absolute value is more than an amount can be.
      expect(await why({ ...through(1), paths: [{ amount: whole, hops }] })).toMatch(/: amount$/);
    });
  });

  it('runs one program at a time: a pool cannot begin another [Q24]', async () => {
    await world.undone(async () => {
      const inner = writeProgram(honest(0, { recipient }));
      for (const selector of [selectors.concentrated, selectors.unlock]) {
        await playing(selector, [{ target: executor, data: inner }], wordPair(whole, -whole));
      }
      expect(await why(through(1))).toContain('locked');
      expect(await why(through(2, { extra: `0x${'00'.repeat(27)}` }))).toContain('locked');
      await playing(selectors.reserves, [], wordPair(0n, 1_000n * whole));
      await playing(selectors.pair, [{ target: executor, data: inner }], '0x');
      expect(await why(through(0, { extra: '0x26f2' }))).toContain('locked');
    });
  });

  it('pays a fake V4 PoolManager no more than the amount, however it changes the callback data [Q24]', async () => {
    await world.undone(async () => {
      const forged = concat([
        recipient,
        encodePacked(['uint8', 'address', 'uint8'], [2, lying, 0]),
        `0x${'00'.repeat(26)}`,
        tokenOut,
      ]);
      const data = encodeFunctionData({
        abi: callbackAbi,
        functionName: 'unlockCallback',
        args: [forged],
      });
      // Forty bytes further in: another token, as if the input were that.
      await playing(
        selectors.unlock,
        [
          { target: executor, data },
          { target: executor, data },
        ],
        '0x',
      );
      expect(await why(through(2, { extra: `0x${'00'.repeat(27)}` }))).toBeDefined();
      const before = await holdings();
      await playing(selectors.unlock, [{ target: executor, data, mustSucceed: false }], '0x');
      await run(through(2, { extra: `0x${'00'.repeat(27)}` }));
      const after = await holdings();
      expect(after.victim).toEqual(before.victim);
      expect(before.payer - after.payer).toBeLessThanOrEqual(whole);
    });
  });

  it('calls tokens, other contracts and accounts as pools by fixed selectors only [Q24]', async () => {
    const before = await holdings();
    const targets = [...world.tokens, victim, executor, realPool(1).address];
    const used = new Set<string>();
    const zeroForOne = realPool(1).tokens[0] === tokenIn;
    for (const pool of targets) {
      for (const [kind, extra] of [
        [0, '0x26f2'],
        [1, '0x'],
        [2, `0x${'00'.repeat(27)}`],
        [3, '0x'],
        [4, '0x0001'],
        [5, '0x'],
        [6, '0x'],
        [127, '0x'],
      ] as const) {
        for (const flags of [0, flag.direct, flag.nativeOut]) {
          const succeeded = await run({
            ...through(kind, { pool, extra, zeroForOne }),
            flags,
            // Kinds that do not exist get no minimum: a thief needs no output.
            minimum: kind > 5 ? 0n : 1n,
          });
          if (succeeded) used.add(`${pool} ${kind}`);
        }
      }
    }
    expect([...used]).toEqual([`${realPool(1).address} 1`]);
    expect((await holdings()).victim).toEqual(before.victim);
  });

  it('refuses every program that is cut short or has bytes left over [Q24]', async () => {
    const { address, tokens, extra } = realPool(0);
    const hop = { kind: 0, pool: address, extra, zeroForOne: tokens[0] === tokenIn };
    const program = writeProgram({
      ...honest(1),
      recipient,
      flags: 0,
      fee: { recipient, share: 1_000_000 },
      paths: [...honest(1).paths, { amount: whole, hops: [hop] }],
    });
    expect(await world.refusal({ to: executor, data: program })).toBeUndefined();
    const size = (program.length - 2) / 2;
    const header = 66 + 20 + 24;
    const secondPath = header + 17 + 21;
    for (let length = 4; length < size; length += 1) {
      // A program that is cut between two paths is complete.
      if (length === header || length === secondPath) continue;
      const data = slice(program, 0, length);
      expect(await world.refusal({ to: executor, data }), `${length} bytes`).toBeDefined();
    }
    for (const rest of [
      '0x00',
      '0x01',
      `0x${'00'.repeat(17)}`,
      `0x01${'00'.repeat(40)}`,
    ] as const) {
      const data = concat([program, rest]);
      expect(await world.refusal({ to: executor, data }), rest).toBeDefined();
    }
  });

  it('refuses flags that contradict each other, paths without hops, and bytes beside a signature [Q24]', async () => {
    expect(await why(honest(1, { fee: { recipient, share: 1_000_000 } }))).toContain('flags');
    expect(await why(honest(1, { flags: flag.direct | flag.nativeOut }))).toContain('flags');
    expect(await why(honest(1, { paths: [{ amount: whole, hops: [] }] }))).toContain('empty path');
    // A token without permits ignores the permit, and the payer's earlier allowance applies.
    const permitted = writeProgram(honest(1, { permit: { flag: 32, input: whole } }));
    expect(await world.refusal({ to: executor, data: permitted })).toBeUndefined();
    for (const data of [slice(permitted, 0, size(permitted) - 1), concat([permitted, '0x00'])]) {
      expect(await world.refusal({ to: executor, data })).toContain('signature');
    }
  });

  it('reverts if a token reports that its transfer failed [Q24]', async () => {
    await world.undone(async () => {
      const paid = callback('uniswapV3SwapCallback', whole, '0x');
      const answer = wordPair(whole, -whole);
      await playing(selectors.concentrated, [{ target: executor, data: paid }], answer);
      const moved = (is: boolean) =>
        playing(selectors.transferFrom, [], encodeAbiParameters([{ type: 'bool' }], [is]));
      await moved(true);
      expect(await why({ ...through(1), tokenIn: lying })).toBeUndefined();
      await moved(false);
      expect(await why({ ...through(1), tokenIn: lying })).toContain('token refuses');
    });
  });

  it('does not count a payment that was owed to the recipient anyway [Q24]', async () => {
    await world.undone(async () => {
      // A vault that pays nothing for a deposit, but meanwhile pays the recipient what it owed them anyway.
      await world.send({
        to: tokenOut,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [lying, 5n * whole],
        }),
      });
      const owed = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [recipient, 5n * whole],
      });
      const take = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [executor, lying, whole],
      });
      const steps = [
        { target: tokenIn, data: take },
        { target: tokenOut, data: owed },
      ];
      await playing(selectors.deposit, steps, encodeAbiParameters([{ type: 'uint256' }], [0n]));
      const program = { ...through(5), recipient, minimum: 5n * whole };
      expect(await why(program)).toContain('gather');
      expect(await why({ ...program, flags: 0 })).toContain('too little received');
      const hooked = {
        kind: 2,
        zeroForOne: true,
        pool: lying,
        extra: `0x${'00'.repeat(26)}80`,
      } as const;
      expect(await why({ ...program, paths: [{ amount: whole, hops: [hooked] }] })).toContain(
        'gather',
      );
    });
  });

  it('leaves no allowance behind, and refuses a pool that would [Q24]', async () => {
    await world.undone(async () => {
      await playing(selectors.deposit, [], encodeAbiParameters([{ type: 'uint256' }], [0n]));
      expect(await why({ ...through(5), flags: 0 })).toContain('allowance left');
      await playing(selectors.exchange, [], '0x');
      expect(await why({ ...through(4, { extra: '0x0001' }), flags: 0 })).toContain(
        'allowance left',
      );
    });
  });

  it('keeps no ether sent by mistake, and refuses itself as the recipient [Q24]', async () => {
    expect(await world.send({ to: executor, data: '0x', value: whole })).toBe(false);
    expect(await run(honest(1), whole)).toBe(false);
    expect(await why(honest(1, { recipient: executor }))).toContain('recipient');
    const [weth] = world.tokens as [Address];
    const pool = world.pools.find(
      ({ kind, tokens }) => kind === 1 && tokens.includes(weth) && tokens.includes(tokenOut),
    )!;
    const hop = { kind: 1, pool: pool.address, zeroForOne: pool.tokens[0] === weth };
    const native = (amount: bigint): Program => ({
      flags: flag.direct | flag.nativeIn,
      tokenIn: weth,
      tokenOut,
      paths: [{ amount, hops: [hop] }],
    });
    await world.undone(async () => {
      expect(await run(native(whole), 2n * whole)).toBe(false);
      expect(await run(native(2n * whole), whole)).toBe(false);
      expect(await run(native(0n), whole)).toBe(true);
      expect(await world.ether(executor)).toBe(0n);
      expect(await world.balanceOf(weth, executor)).toBe(0n);
    });
  });

  it('reverts below the minimum and after the deadline [Q24]', async () => {
    expect(await why(honest(1, { minimum: whole }))).toContain('too little received');
    expect(await why(honest(1, { minimum: whole, flags: 0 }))).toContain('too little received');
    expect(await why(honest(1, { deadline: 1n }))).toContain('expired');
  });
});
