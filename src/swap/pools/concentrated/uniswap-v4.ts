import type { Hex } from 'viem';
import { concat, encodeAbiParameters, keccak256, numberToHex, parseAbi } from 'viem/utils';
import { decodeLog, type Log } from '../../chain/chain-reader.ts';
import type { PackedReader } from '../../chain/packed-calls.ts';
import type { Address } from '../../model.ts';
import {
  type CommonExchange,
  type ExactInput,
  type Pool,
  poolId,
  type SwapResult,
  sortTokens,
  type TickReach,
  takeNothing,
} from '../pool.ts';
import type { ExecutorHop, PairToDiscover, PoolKind } from '../pool-kind.ts';
import {
  concentratedCurve,
  type FeeTier,
  midPriceOf,
  type TickState,
  ticksBetween,
} from './concentrated-pool.ts';
import { changePosition, moveWithin } from './decode.ts';
import { reachToEnd, readPriceAndTicks, seenOf, usualReach, writeReach } from './refresh.ts';
import { simulateConcentrated } from './simulate.ts';

/** Uniswap V4 pools without hooks [Q26]. */
export const uniswapV4: PoolKind<UniswapV4Pool, UniswapV4State, UniswapV4Exchange> = {
  discover: discoverUniswapV4,
  poolsPerCall: 16,
  query: writeUniswapV4Query,
  readState: readUniswapV4State,
  reachBeyond: reachToEnd,
  seenOf,
  applyLog: applyUniswapV4Log,
  isLogOf: isUniswapV4LogOf,
  simulate: simulateUniswapV4,
  curve: (state, { zeroForOne }) =>
    concentratedCurve({ ...state, fee: swapFee(state, zeroForOne) }, zeroForOne),
  midPrice: midPriceOf,
  gasOfHop: 90_000,
  ticksBetween,
  // Only pools without hooks are discovered.
  runsForeignCode: () => false,
  encodeHop: encodeUniswapV4Hop,
  publicId: ({ key }) => key.hash,
};

/** A Uniswap V4 pool manager; `factory` is its address. */
export type UniswapV4Exchange = CommonExchange & {
  readonly kind: 'uniswap-v4';
  /** A pool may have any fee and spacing; those that people trade in have one of these. */
  readonly feeTiers: readonly FeeTier[];
};

/** A pool without hooks, and so without a fee that a hook could change. */
export type UniswapV4Pool = Pool & {
  readonly kind: 'uniswap-v4';
  readonly key: PoolKey;
};

/** `PoolKey` with the hooks left out, and the id that is its hash. The zero address is the native currency. */
type PoolKey = {
  readonly hash: Hex;
  readonly currency0: Address;
  readonly currency1: Address;
  /** Hundredths of a basis point. */
  readonly fee: number;
  readonly tickSpacing: number;
};

/** `fee` is what liquidity providers get; a swap pays what the protocol takes on top. */
export type UniswapV4State = TickState & {
  readonly kind: 'uniswap-v4';
  readonly key: PoolKey;
  /** Hundredths of a basis point, by the direction of the swap. */
  readonly protocolFeeZeroForOne: number;
  readonly protocolFeeOneForZero: number;
};

// Forty zeros are their own checksummed form.
const zeroAddress = `0x${'0'.repeat(40)}` as Address;

/**
 * One pool per fee tier. For the wrapped native token also one per tier with the native currency in its
 * place: routing treats the two as one token.
 */
export function discoverUniswapV4(
  exchange: UniswapV4Exchange,
  { tokens, wrappedNative }: PairToDiscover,
): UniswapV4Pool[] {
  const [one, other] = sortTokens(...tokens);
  const sides = [{ tokens: [one, other], currencies: [one, other] } as const];
  if (one === wrappedNative || other === wrappedNative) {
    const partner = one === wrappedNative ? other : one;
    sides.push({ tokens: [wrappedNative, partner], currencies: [zeroAddress, partner] });
  }
  return exchange.feeTiers.flatMap((tier) =>
    sides.map(({ tokens: [token0, token1], currencies: [currency0, currency1] }) => {
      const key = keyOf({ currency0, currency1, ...tier });
      return {
        kind: 'uniswap-v4',
        id: poolId(exchange.factory, key.hash),
        address: exchange.factory,
        exchange: exchange.name,
        token0,
        token1,
        key,
      };
    }),
  );
}

const keyParts = [
  { type: 'address' },
  { type: 'address' },
  { type: 'uint24' },
  { type: 'int24' },
  { type: 'address' },
] as const;

/** The key of a pool without hooks, with its hash: `PoolIdLibrary.toId`. */
function keyOf(key: Omit<PoolKey, 'hash'>): PoolKey {
  const { currency0, currency1, fee, tickSpacing } = key;
  const parts = [currency0, currency1, fee, tickSpacing, zeroAddress] as const;
  return { ...key, hash: keccak256(encodeAbiParameters(keyParts, parts)) };
}

/** The query that `PoolReader.sol` answers from the manager's storage. */
function writeUniswapV4Query(
  { address, key: { hash, tickSpacing } }: UniswapV4Pool,
  reach: TickReach = usualReach({ tickSpacing }),
): Hex {
  return concat(['0x03', address, hash, numberToHex(tickSpacing, { size: 3 }), writeReach(reach)]);
}

/** Reads the state from the rest of an answer that found the pool. */
function readUniswapV4State(
  { kind, id, address, token0, token1, key }: UniswapV4Pool,
  { answer, blockNumber }: { answer: PackedReader; blockNumber: bigint },
): UniswapV4State {
  const fee = answer.number(3);
  const protocolFee = answer.number(3);
  return {
    kind,
    id,
    address,
    token0,
    token1,
    blockNumber,
    key,
    fee,
    protocolFeeZeroForOne: protocolFee & 0xfff,
    protocolFeeOneForZero: protocolFee >> 12,
    ...readPriceAndTicks(answer, key.tickSpacing),
  };
}

const events = parseAbi([
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
  'event Donate(bytes32 indexed id, address indexed sender, uint256 amount0, uint256 amount1)',
  'event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)',
]);

/** Whether a log of the manager is about the pool: such a log has the pool's id as its first indexed value. */
export function isUniswapV4LogOf({ key }: UniswapV4Pool, { topics }: Log): boolean {
  return topics[1] === key.hash;
}

/**
 * The pool after one log of it. Undefined when the log does not tell, as in a V3 pool, and for `Initialize`: a
 * pool that was known has been initialized before.
 */
export function applyUniswapV4Log(state: UniswapV4State, log: Log): UniswapV4State | undefined {
  const event = decodeLog(events, log);
  switch (event?.eventName) {
    case 'Swap':
      return moveWithin(state, event.args);
    case 'ModifyLiquidity':
      return changePosition(state, { ...event.args, amount: event.args.liquidityDelta });
    case 'ProtocolFeeUpdated': {
      const { protocolFee } = event.args;
      return {
        ...state,
        protocolFeeZeroForOne: protocolFee & 0xfff,
        protocolFeeOneForZero: protocolFee >> 12,
      };
    }
    case undefined:
      return undefined;
    default:
      return state;
  }
}

/**
 * Swaps an exact input in a pool without hooks, to the last unit: `Pool.swap` of Uniswap V4, which computes as
 * V3 does with the fee of the protocol counted in [Q13].
 */
function simulateUniswapV4(state: UniswapV4State, offer: ExactInput): SwapResult<UniswapV4State> {
  const paying = { ...state, fee: swapFee(state, offer.zeroForOne) };
  const result = simulateConcentrated(paying, offer);
  // The manager counts what it owes and is owed in `int128`.
  if (result.amountInUsed > maxAmount || result.amountOut > maxAmount) {
    return takeNothing(state, 'reserve-overflow');
  }
  return { ...result, stateAfter: { ...result.stateAfter, fee: state.fee } };
}

const maxAmount = (1n << 127n) - 1n;

/**
 * What a swap pays in all, in hundredths of a basis point: the protocol takes its part of the input first
 * and the providers theirs of the rest, `ProtocolFeeLibrary.calculateSwapFee`.
 */
function swapFee(
  { fee, protocolFeeZeroForOne, protocolFeeOneForZero }: UniswapV4State,
  zeroForOne: boolean,
): number {
  const protocolFee = zeroForOne ? protocolFeeZeroForOne : protocolFeeOneForZero;
  return protocolFee + fee - Math.floor((protocolFee * fee) / 1_000_000);
}

// As in ManagedSwaps.sol.
const nativeIn = 1;
const nativeOut = 2;
const noHooks = `0x${'00'.repeat(20)}` as const;

/**
 * The pool's key without the currencies, which are the tokens of the hop. A flag says if the wrapped token
 * stands for the native currency.
 */
function encodeUniswapV4Hop({ key }: UniswapV4State, zeroForOne: boolean): ExecutorHop {
  const isNative = BigInt(key.currency0) === 0n;
  const flags = isNative ? (zeroForOne ? nativeIn : nativeOut) : 0;
  return {
    number: 2,
    extra: concat([
      numberToHex(flags, { size: 1 }),
      numberToHex(key.fee, { size: 3 }),
      numberToHex(key.tickSpacing, { size: 3 }),
      noHooks,
    ]),
  };
}
