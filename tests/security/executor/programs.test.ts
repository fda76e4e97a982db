import fc from 'fast-check';
import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executorBuilds } from '../../../src/swap/executor/executor-builds.ts';
import { type ExecutorWorld, openExecutorWorld, recipient } from './open-executor-world.ts';
import { type Outcome, openProgramRunner } from './run-programs.ts';
import type { WorldPool } from './world-pool.ts';
import { flag, type Program, type ProgramHop, writeProgram } from './write-program.ts';

/** How many programs are run: 100,000 are the proof; the default is a quick check. */
const programCount = Number(process.env.TEST_PROGRAMS ?? 100);
/** The programs that run in one call. */
const batchSize = 50;
/** A long run reports its progress after so many programs. */
const progressEvery = 10_000;
const timeout = 300_000 + programCount * 60;
const feeTaker: Address = `0x${'fe'.repeat(20)}`;
const whole = 10n ** 18n;

let world: ExecutorWorld;
let runner: Awaited<ReturnType<typeof openProgramRunner>>;
beforeAll(async () => {
  world = await openExecutorWorld({ withEveryKind: true });
  runner = await openProgramRunner(world);
});
afterAll(() => world.evm.close());

type Draw = {
  readonly ends: readonly [number, number];
  readonly native: readonly [boolean, boolean];
  readonly isDirect: boolean;
  readonly isForOther: boolean;
  readonly share: number;
  readonly permit: 0 | 32 | 64;
  readonly minimum: number;
  readonly paths: readonly {
    readonly amount: bigint;
    /** The token that each hop but the last leads to, and which of the pools between the tokens it takes. */
    readonly hops: readonly (readonly [token: number, pool: number])[];
  }[];
};

const amounts = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 1n, max: 20n * whole }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 1_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }) },
);
const tokens = fc.integer({ min: 0, max: 4 });
const draws: fc.Arbitrary<Draw> = fc.record({
  ends: fc.tuple(tokens, tokens).filter(([one, other]) => one !== other),
  native: fc.tuple(fc.boolean(), fc.boolean()),
  isDirect: fc.boolean(),
  isForOther: fc.boolean(),
  share: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000_000 })),
  permit: fc.constantFrom(0, 0, 0, 32, 64),
  minimum: fc.double({ min: 0, max: 1.1, noNaN: true }),
  paths: fc.array(
    fc.record({
      amount: amounts,
      hops: fc.array(fc.tuple(tokens, fc.nat(1_000)), { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

type Drawn = { readonly program: Program; readonly value: bigint; readonly given: bigint };

/** A program whose paths lead from one token to the other over real pools. */
function toProgram(draw: Draw): Drawn {
  const [tokenIn, tokenOut] = draw.ends.map((end) => world.tokens[end]!) as [Address, Address];
  const weth = world.tokens[0]!;
  const isNativeIn = draw.native[0] && tokenIn === weth && draw.permit === 0;
  const isNativeOut = draw.native[1] && tokenOut === weth;
  const given = draw.paths.reduce((sum, { amount }) => sum + amount, 0n);
  const hasFee = draw.share > 0;
  const paths = draw.paths.map(({ amount, hops }) => ({
    amount,
    hops: toHops(hops, tokenIn, tokenOut),
  }));
  // Higher kinds run foreign code; after them the executor counts only what it has gathered itself.
  const mayBeDirect = paths.every(({ hops }) => hops.every(({ kind }) => kind < 4));
  const flags =
    (isNativeIn ? flag.nativeIn : 0) |
    (isNativeOut ? flag.nativeOut : 0) |
    (draw.isDirect && !isNativeOut && !hasFee && mayBeDirect ? flag.direct : 0);
  const program: Program = {
    flags,
    tokenIn,
    tokenOut,
    minimum: BigInt(Math.floor(Number(given < 1_000n * whole ? given : whole) * draw.minimum)),
    ...(draw.isForOther ? { recipient } : {}),
    ...(hasFee ? { fee: { recipient: feeTaker, share: draw.share } } : {}),
    ...(draw.permit === 0 ? {} : { permit: { flag: draw.permit, input: smaller(given, most) } }),
    paths,
  };
  return { program, value: isNativeIn ? smaller(given, mostEther) : 0n, given };
}

/** The most ether sent with a program, far less than the payer has. A program with larger amounts gets too little. */
const mostEther = 100n * whole;
/** The greatest amount that a program can hold. */
const most = (1n << 128n) - 1n;

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function toHops(
  drawn: Draw['paths'][number]['hops'],
  tokenIn: Address,
  tokenOut: Address,
): ProgramHop[] {
  const hops: ProgramHop[] = [];
  let token = tokenIn;
  for (const [position, [through, which]] of drawn.entries()) {
    const isLast = position === drawn.length - 1;
    const next = isLast ? tokenOut : world.tokens[through]!;
    if (next === token) continue;
    // The share of a vault trades only for its asset.
    const [, asset, , , share] = world.tokens;
    const isFar = [token, next].includes(share!) && ![token, next].includes(asset!);
    for (const to of isFar ? [asset!, next] : [next]) {
      hops.push(toHop(token, to, which));
      token = to;
    }
  }
  const last = hops.pop();
  // A path that reached the output early ends there; the executor refuses one without hops.
  if (last === undefined) return hops;
  const { next: _, ...ending } = last;
  return [...hops, ending];
}

function toHop(from: Address, to: Address, which: number): ProgramHop {
  const between = world.pools.filter((pool) => leads(pool, from, to));
  const { kind, address, extra, tokens: held } = between[which % between.length]!;
  return { kind, pool: address, extra, zeroForOne: held[0] === from, next: to };
}

function leads({ tokens: held, tokenIn }: WorldPool, from: Address, to: Address): boolean {
  return held.includes(from) && held.includes(to) && (tokenIn ?? from) === from;
}

/** Runs programs of one build in one call, and checks the rules that hold for any bytes. */
async function runAndHold(
  executor: Address,
  runs: readonly (Drawn & { readonly data: Hex })[],
): Promise<{ before: Outcome; outcomes: Outcome[] }> {
  const programs = runs.map(({ data, value }) => ({ program: data, value }));
  const [before, ...outcomes] = await runner.run(executor, [
    { program: '0x', value: 0n },
    ...programs,
  ]);
  for (const [index, after] of outcomes.entries()) {
    const { program, value, given, data } = runs[index]!;
    expect(after.victim, data).toEqual(before!.victim);
    expect(after.allowed, data).toBe(0n);
    expect(after.isRunning, data).toBe(false);
    expect(before!.payer.ether - after.payer.ether, data).toBeLessThanOrEqual(value);
    const paid = world.tokens.indexOf(program.tokenIn);
    // With other flags the amounts are read from other positions, so they are not the given ones.
    if (layoutOf(data) !== layoutOf(writeProgram(program))) continue;
    const spent = before!.payer.tokens[paid]! - after.payer.tokens[paid]!;
    expect(spent, data).toBeLessThanOrEqual(value > 0n ? 0n : given);
  }
  return { before: before!, outcomes };
}

/** The flags that decide the layout of a program. */
function layoutOf(data: Hex): number {
  return hexToBytes(data)[4]! & 0x78;
}

/** Random batches of programs for both builds in turn, `programCount` in all; stops at the first breach. */
async function inBatches<T>(
  one: fc.Arbitrary<T>,
  hold: (executor: Address, batch: readonly T[]) => Promise<void>,
): Promise<void> {
  let ran = 0;
  const batches = fc.array(one, { minLength: batchSize, maxLength: batchSize });
  const property = fc.asyncProperty(batches, async (batch) => {
    const { address } = executorBuilds[(ran / batchSize) % executorBuilds.length]!;
    await hold(address, batch);
    ran += batchSize;
    if (ran % progressEvery === 0) console.log(`${ran} programs`);
  });
  await fc.assert(property, {
    numRuns: Math.ceil(programCount / batchSize),
    seed: Number(process.env.TEST_SEED ?? 21),
    endOnFailure: true,
  });
}

describe('programs over real pools of every kind', () => {
  it(
    'take at most the amount, deliver the minimum or revert, and leave nothing [Q24]',
    async () => {
      const succeeded = { all: 0, ofKind: new Map<number, number>(), withPermit2: 0 };
      await inBatches(draws, async (executor, batch) => {
        const runs = batch.map((draw) => {
          const drawn = toProgram(draw);
          return { ...drawn, data: writeProgram(drawn.program) };
        });
        const { before, outcomes } = await runAndHold(executor, runs);
        for (const [index, after] of outcomes.entries()) {
          const { program, data, value } = runs[index]!;
          expect(after.executor, data).toEqual(before.executor);
          if (!after.succeeded) {
            expect(after, data).toEqual(before);
            continue;
          }
          succeeded.all += 1;
          if (program.permit?.flag === 64) succeeded.withPermit2 += 1;
          for (const kind of new Set(
            program.paths.flatMap(({ hops }) => hops.map((hop) => hop.kind)),
          )) {
            succeeded.ofKind.set(kind, (succeeded.ofKind.get(kind) ?? 0) + 1);
          }
          const who = program.recipient === undefined ? 'payer' : 'recipient';
          const taken = world.tokens.indexOf(program.tokenOut);
          const isNativeOut = ((program.flags ?? 0) & flag.nativeOut) !== 0;
          const received = isNativeOut
            ? after[who].ether - before[who].ether + (who === 'payer' ? value : 0n)
            : after[who].tokens[taken]! - before[who].tokens[taken]!;
          expect(received, data).toBeGreaterThanOrEqual(program.minimum!);
        }
      });
      if (programCount >= progressEvery) console.log(succeeded);
      expect(succeeded.all).toBeGreaterThan(programCount / 10);
      expect([...succeeded.ofKind.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
      expect(succeeded.withPermit2).toBeGreaterThan(0);
    },
    timeout,
  );

  it(
    'take only from the caller, and no more than their amount, with any bytes changed [Q24]',
    async () => {
      const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 3,
      });
      await inBatches(fc.tuple(draws, changes), async (executor, batch) => {
        const runs = batch.map(([draw, changed]) => {
          const drawn = toProgram(draw);
          const bytes = hexToBytes(writeProgram(drawn.program));
          // The amounts stay as they are, so that the test knows how much may be taken.
          const fixed = amountPositions(drawn.program);
          for (const [place, value] of changed) {
            const position = 4 + (place % (bytes.length - 4));
            if (!fixed.has(position)) bytes[position] = value;
          }
          return { ...drawn, data: bytesToHex(bytes) };
        });
        await runAndHold(executor, runs);
      });
    },
    timeout,
  );
});

/** The positions in a program of its paths' amounts and numbers of hops, and of its permit. */
function amountPositions({ recipient: to, fee, permit, paths }: Program): Set<number> {
  const positions = new Set<number>();
  const fix = (from: number, count: number) => {
    for (let place = 0; place < count; place += 1) positions.add(from + place);
  };
  let cursor = 66;
  if (permit !== undefined) {
    fix(cursor, 18);
    cursor += 18;
  }
  cursor += (to === undefined ? 0 : 20) + (fee === undefined ? 0 : 24);
  for (const { hops } of paths) {
    fix(cursor, 17);
    cursor += 17;
    for (const { extra = '0x', next = '0x' } of hops) {
      cursor += 21 + (extra.length - 2) / 2 + (next.length - 2) / 2;
    }
  }
  return positions;
}
