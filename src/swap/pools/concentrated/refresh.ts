import type { Hex } from 'viem';
import { concat, numberToHex } from 'viem/utils';
import type { PackedReader } from '../../chain/packed-calls.ts';
import { swapLimits } from '../../limits.ts';
import { SwapError } from '../../model.ts';
import type { Pool, PoolState, Seen, TickReach } from '../pool.ts';
import { concentratedCurve, type InitializedTick, type TickState } from './concentrated-pool.ts';
import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK } from './ticks.ts';

/** The query that `PoolReader.sol` answers with the price, the liquidity and the ticks in reach. */
export function writeConcentratedQuery(
  pool: Pool & { readonly tickSpacing: number },
  reach = usualReach(pool),
): Hex {
  return concat(['0x01', pool.address, writeReach(reach)]);
}

/** How far to read: the last part of every query for a pool with ticks. */
export function writeReach({ wordsBelow, wordsAbove, ticksPerSide }: TickReach): Hex {
  return concat(
    [wordsBelow, wordsAbove, ticksPerSide].map((count) => numberToHex(count, { size: 2 })),
  );
}

/** Within twice and half the price: 1.0001^6932 is 2. */
const usualDistance = 6_932;
/** Enough for trades that move a busy pool by several percent, and little enough to read many pools. */
const usualTicks = 64;

/** How far a pool is read before anything is known of the trade. */
export function usualReach({ tickSpacing }: { readonly tickSpacing: number }): TickReach {
  const words = Math.ceil(usualDistance / (256 * tickSpacing));
  return { wordsBelow: words, wordsAbove: words, ticksPerSide: usualTicks };
}

/**
 * How far to read a pool again if its known ticks were not enough for a trade: four times as far on both sides,
 * so that few steps reach even the ends of the pool.
 */
export function widerReach(state: TickState): TickReach {
  const { tick, tickSpacing, ticks, lowestKnownTick, highestKnownTick } = state;
  const word = wordOf(tick, tickSpacing);
  return {
    wordsBelow: 4 * (word - wordOf(lowestKnownTick, tickSpacing) + 1),
    wordsAbove: 4 * (wordOf(highestKnownTick, tickSpacing) - word + 1),
    ticksPerSide: 4 * Math.max(usualTicks, ticks.length),
  };
}

/** Beyond so many words a pool counts as empty: where ticks lie one apart, at half a million times its price. */
const mostWords = swapLimits.tickWords.value;

/**
 * How far to read a pool to know every tick in the direction of a trade, as far as answers can hold them and as far as
 * pools are read at all. Undefined if that is known already.
 */
export function reachToEnd(pool: TickState, zeroForOne: boolean): TickReach | undefined {
  const { tick, tickSpacing, lowestKnownTick, highestKnownTick } = pool;
  const word = wordOf(tick, tickSpacing);
  const below = word - wordOf(lowestKnownTick, tickSpacing);
  const above = wordOf(highestKnownTick, tickSpacing) - word;
  const [known, toEnd] = zeroForOne
    ? [below, word - wordOf(MIN_TICK, tickSpacing)]
    : [above, wordOf(MAX_TICK, tickSpacing) - word];
  const wanted = Math.min(toEnd, mostWords);
  if (known >= wanted) return undefined;
  return {
    wordsBelow: zeroForOne ? wanted : below,
    wordsAbove: zeroForOne ? above : wanted,
    ticksPerSide: widerReach(pool).ticksPerSide,
  };
}

/**
 * How much is known of a pool in the direction of a trade. Where its price is at the edge of the last word that was read,
 * nothing is, however much liquidity the next word holds. Undefined where all is known, or no pool is read further.
 */
export function seenOf(pool: TickState, zeroForOne: boolean): Seen | undefined {
  const { tick, tickSpacing, liquidity, sqrtPriceX96, lowestKnownTick, highestKnownTick } = pool;
  const distance = zeroForOne ? tick - lowestKnownTick : highestKnownTick - tick;
  if (liquidity > 0n && distance >= tickSpacing) return 'some';
  const { segments, isOpen } = concentratedCurve(pool, zeroForOne);
  if (!isOpen || sqrtPriceX96 === 0n || reachToEnd(pool, zeroForOne) === undefined)
    return undefined;
  // Of a range shorter than the spacing of its ticks, rounding may leave nothing.
  if (liquidity === 0n && segments.some((segment) => segment.liquidity > 0)) return 'some';
  const word = wordOf(tick, tickSpacing);
  const known = zeroForOne
    ? word - wordOf(lowestKnownTick, tickSpacing)
    : wordOf(highestKnownTick, tickSpacing) - word;
  return known < usualReach(pool).wordsBelow ? 'too-little' : 'nothing-near';
}

/** Reads the state from the rest of an answer that found the pool. */
export function readConcentratedState<Kind extends string>(
  { kind, id, address, token0, token1 }: Pool & { readonly kind: Kind },
  { answer, blockNumber }: { answer: PackedReader; blockNumber: bigint },
): TickState & { readonly kind: Kind } {
  const fee = answer.number(3);
  const tickSpacing = answer.number(3);
  return {
    kind,
    id,
    address,
    token0,
    token1,
    blockNumber,
    fee,
    ...readPriceAndTicks(answer, tickSpacing),
  };
}

/** The price, the liquidity at it, and the ticks that were read. */
export function readPriceAndTicks(
  answer: PackedReader,
  tickSpacing: number,
): Omit<TickState, keyof PoolState | 'fee'> {
  const sqrtPriceX96 = answer.unsigned(20);
  const tick = answer.signed(3);
  const liquidity = answer.unsigned(16);
  return {
    tickSpacing,
    sqrtPriceX96,
    tick,
    liquidity,
    ...readTicks(answer, { sqrtPriceX96, tick, tickSpacing }),
  };
}

/** Whether a pool can be at this price: zero before its first one. */
export function isPriceInRange(sqrtPriceX96: bigint): boolean {
  return sqrtPriceX96 === 0n || (sqrtPriceX96 >= MIN_SQRT_RATIO && sqrtPriceX96 < MAX_SQRT_RATIO);
}

/** Throws `UPSTREAM_ERROR` for what no pool with ticks can be: the endpoint made it up [F67]. */
function mustBeInRange(isInRange: boolean, what: string): void {
  if (isInRange) return;
  throw new SwapError('UPSTREAM_ERROR', `The node's answer has ${what} that no pool can have.`);
}

/** The ticks around the current one: the last part of every answer about a pool with ticks. Throws `UPSTREAM_ERROR`. */
export function readTicks(
  answer: PackedReader,
  { sqrtPriceX96, tick, tickSpacing }: Pick<TickState, 'sqrtPriceX96' | 'tick' | 'tickSpacing'>,
): Pick<TickState, 'ticks' | 'lowestKnownTick' | 'highestKnownTick'> {
  mustBeInRange(isPriceInRange(sqrtPriceX96), 'a price');
  mustBeInRange(isTick(tick) && tickSpacing > 0, 'a tick');
  const word = wordOf(tick, tickSpacing);
  const { ticks, lowestWord, highestWord } = readWords(answer, { word, tickSpacing });
  return {
    ticks,
    lowestKnownTick: Math.max(MIN_TICK, lowestWord * 256 * tickSpacing),
    highestKnownTick: Math.min(MAX_TICK, (highestWord * 256 + 255) * tickSpacing),
  };
}

function isTick(index: number): boolean {
  return index >= MIN_TICK && index <= MAX_TICK;
}

/** Which word of the bitmap holds a tick: `TickBitmap.position`. */
function wordOf(tick: number, tickSpacing: number): number {
  return Math.floor(Math.floor(tick / tickSpacing) / 256);
}

/** The mark that a word begins with in the answer. */
const filledWord = 1;
const endOfSide = 2;

/** Reads the word of the current tick and those above it, upwards; then those below it, downwards. */
function readWords(
  answer: PackedReader,
  { word, tickSpacing }: { word: number; tickSpacing: number },
): { ticks: InitializedTick[]; lowestWord: number; highestWord: number } {
  const above: InitializedTick[] = [];
  let highestWord = word - 1;
  for (let mark = answer.number(1); mark !== endOfSide; mark = answer.number(1)) {
    highestWord += 1;
    if (mark === filledWord) above.push(...readWord(answer, { word: highestWord, tickSpacing }));
  }
  const below: InitializedTick[][] = [];
  let lowestWord = word;
  for (let mark = answer.number(1); mark !== endOfSide; mark = answer.number(1)) {
    lowestWord -= 1;
    if (mark === filledWord) below.push(readWord(answer, { word: lowestWord, tickSpacing }));
  }
  return { ticks: [...below.reverse().flat(), ...above], lowestWord, highestWord };
}

function readWord(
  answer: PackedReader,
  { word, tickSpacing }: { word: number; tickSpacing: number },
): InitializedTick[] {
  const bitmap = answer.unsigned(32);
  const ticks: InitializedTick[] = [];
  for (let bit = 0; bit < 256; bit += 1) {
    if (((bitmap >> BigInt(bit)) & 1n) === 0n) continue;
    const index = (word * 256 + bit) * tickSpacing;
    mustBeInRange(isTick(index), 'a tick');
    ticks.push({ index, liquidityNet: readLiquidityNet(answer) });
  }
  return ticks;
}

/** The length of the magnitude, with the sign as its highest bit, and the magnitude. */
function readLiquidityNet(answer: PackedReader): bigint {
  const length = answer.number(1);
  mustBeInRange((length & 0x7f) <= 16, 'a liquidity');
  const magnitude = answer.unsigned(length & 0x7f);
  return length & 0x80 ? -magnitude : magnitude;
}
