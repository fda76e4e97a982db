import fc from 'fast-check';
import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executorBuilds } from '../../../src/swap/executor/executor-builds.ts';
import { readBalanceSheet } from './balance-sheet.ts';
import {
  type ExecutorWorld,
  openExecutorWorld,
  payer,
  recipient,
  victim,
} from './open-executor-world.ts';
import { flag, type Program, type ProgramHop, writeProgram } from './write-program.ts';

/** How many programs are run: 100,000 are the proof, the default a reminder. */
const programCount = Number(process.env.TEST_PROGRAMS ?? 60);
const feeTaker: Address = `0x${'fe'.repeat(20)}`;
const whole = 10n ** 18n;

let world: ExecutorWorld;
beforeAll(async () => {
  world = await openExecutorWorld();
});
afterAll(() => world.evm.close());

type Draw = {
  readonly build: number;
  readonly ends: readonly [number, number];
  readonly native: readonly [boolean, boolean];
  readonly isDirect: boolean;
  readonly isForOther: boolean;
  readonly share: number;
  readonly minimum: number;
  readonly paths: readonly {
    readonly amount: bigint;
    /** Which token each hop goes to, the last one excepted, and by which of the two pools. */
    readonly hops: readonly (readonly [token: number, pool: number])[];
  }[];
};

const amounts = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 20n * whole }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 1_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }) },
);
const index = (count: number) => fc.integer({ min: 0, max: count - 1 });
const draws: fc.Arbitrary<Draw> = fc.record({
  build: index(executorBuilds.length),
  ends: fc.tuple(index(4), index(4)).filter(([one, other]) => one !== other),
  native: fc.tuple(fc.boolean(), fc.boolean()),
  isDirect: fc.boolean(),
  isForOther: fc.boolean(),
  share: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000_000 })),
  minimum: fc.double({ min: 0, max: 1.1, noNaN: true }),
  paths: fc.array(
    fc.record({
      amount: amounts,
      hops: fc.array(fc.tuple(index(4), index(2)), { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

type Drawn = {
  readonly program: Program;
  readonly executor: Address;
  readonly value: bigint;
  readonly given: bigint;
};

/** A program whose paths lead from one token to the other over real pools. */
function toProgram(draw: Draw): Drawn {
  const [tokenIn, tokenOut] = draw.ends.map((end) => world.tokens[end]!) as [Address, Address];
  const weth = world.tokens[0]!;
  const isNativeIn = draw.native[0] && tokenIn === weth;
  const isNativeOut = draw.native[1] && tokenOut === weth;
  const given = draw.paths.reduce((sum, { amount }) => sum + amount, 0n);
  const hasFee = draw.share > 0;
  const flags =
    (isNativeIn ? flag.nativeIn : 0) |
    (isNativeOut ? flag.nativeOut : 0) |
    (draw.isDirect && !isNativeOut && !hasFee ? flag.direct : 0);
  const program: Program = {
    flags,
    tokenIn,
    tokenOut,
    minimum: BigInt(Math.floor(Number(given < 1_000n * whole ? given : whole) * draw.minimum)),
    ...(draw.isForOther ? { recipient } : {}),
    ...(hasFee ? { fee: { recipient: feeTaker, share: draw.share } } : {}),
    paths: draw.paths.map(({ amount, hops }) => ({
      amount,
      hops: toHops(hops, tokenIn, tokenOut),
    })),
  };
  return {
    program,
    executor: executorBuilds[draw.build]!.address,
    // No node takes a transaction of more ether than its sender has: beyond that the program asks for more than it is sent.
    value: isNativeIn ? smaller(given, mostEther) : 0n,
    given,
  };
}

/** Far less than the payer has. */
const mostEther = 100n * whole;

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
  for (const [position, [to, which]] of drawn.entries()) {
    const isLast = position === drawn.length - 1;
    const next = isLast ? tokenOut : world.tokens[to]!;
    if (next === token) continue;
    const [pair, concentrated] = world.pools.filter(
      ({ tokens }) => tokens.includes(token) && tokens.includes(next),
    );
    const pool = which === 0 ? pair! : concentrated!;
    hops.push({
      kind: pool.kind,
      pool: pool.address,
      extra: pool.extra,
      zeroForOne: pool.tokens[0] === token,
      next,
    });
    token = next;
  }
  const last = hops.pop();
  // A path that walked to the end before its last hop is over there; one of no hops is refused.
  if (last === undefined) return hops;
  const { next: _, ...ending } = last;
  return [...hops, ending];
}

/** What everybody has of every token, ether included. */
async function balances(executor: Address) {
  const holders = [victim, payer, recipient, executor];
  const sheet = await readBalanceSheet(world.evm, { tokens: world.tokens, holders });
  const [victims, payers, recipients, executors] = sheet;
  return { victim: victims!, payer: payers!, recipient: recipients!, executor: executors! };
}

/** The same before every program, since each is undone. */
async function balancesBefore(executor: Address) {
  const known = atFirst.get(executor) ?? balances(executor);
  atFirst.set(executor, known);
  return known;
}
const atFirst = new Map<Address, ReturnType<typeof balances>>();

async function runAndHold(drawn: Drawn, data: Hex) {
  const { program, executor, value, given } = drawn;
  const before = await balancesBefore(executor);
  const succeeded = await world.send({ to: executor, data, value });
  const after = await balances(executor);
  expect(after.victim).toEqual(before.victim);
  const position = (token: Address) => world.tokens.indexOf(token);
  const isNativeIn = value > 0n;
  const paid = position(program.tokenIn);
  if (!isNativeIn) {
    const spent = before.payer.tokens[paid]! - after.payer.tokens[paid]!;
    expect(spent).toBeLessThanOrEqual(given);
  }
  return { before, after, succeeded };
}

const settings = { numRuns: programCount, seed: Number(process.env.TEST_SEED ?? 21) };

describe('programs over real pools', () => {
  it('take at most the amount, deliver the minimum or revert, and leave nothing [Q24]', async () => {
    let succeeded = 0;
    await fc.assert(
      fc.asyncProperty(draws, (draw) =>
        world.undone(async () => {
          const drawn = toProgram(draw);
          const { program } = drawn;
          const { before, after, ...run } = await runAndHold(drawn, writeProgram(program));
          expect(after.executor).toEqual({ ether: 0n, tokens: world.tokens.map(() => 0n) });
          if (!run.succeeded) return;
          succeeded += 1;
          const who = program.recipient === undefined ? 'payer' : 'recipient';
          const taken = world.tokens.indexOf(program.tokenOut);
          const isNativeOut = ((program.flags ?? 0) & flag.nativeOut) !== 0;
          // The payer's ether also pays for gas, at most 5,000,000 of it at 1 to 2 gwei.
          const received = isNativeOut
            ? after[who].ether -
              before[who].ether +
              (who === 'payer' ? drawn.value + 10n ** 16n : 0n)
            : after[who].tokens[taken]! - before[who].tokens[taken]!;
          expect(received).toBeGreaterThanOrEqual(program.minimum!);
        }),
      ),
      settings,
    );
    expect(succeeded).toBeGreaterThan(programCount / 10);
  });

  it('take from nobody but the caller, and from the caller no more than they say, with any bytes changed [Q24]', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(draws, changes, (draw, changed) =>
        world.undone(async () => {
          const drawn = toProgram(draw);
          const bytes = hexToBytes(writeProgram(drawn.program));
          // The amounts stay, so that what may be taken is known.
          const fixed = amountPositions(drawn.program);
          for (const [place, value] of changed) {
            const position = 4 + (place % (bytes.length - 4));
            if (!fixed.has(position)) bytes[position] = value;
          }
          await runAndHold(drawn, bytesToHex(bytes));
        }),
      ),
      settings,
    );
  });
});

/** Where in a program the amounts of its paths and the numbers of their hops stand. */
function amountPositions({ recipient: to, fee, paths }: Program): Set<number> {
  const positions = new Set<number>();
  let cursor = 66 + (to === undefined ? 0 : 20) + (fee === undefined ? 0 : 24);
  for (const { hops } of paths) {
    for (let place = 0; place < 17; place += 1) positions.add(cursor + place);
    cursor += 17;
    for (const { extra = '0x', next = '0x' } of hops) {
      cursor += 21 + (extra.length - 2) / 2 + (next.length - 2) / 2;
    }
  }
  return positions;
}
