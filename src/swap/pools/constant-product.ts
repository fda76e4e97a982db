import type { Hex } from 'viem';
import { concat, encodePacked, keccak256, numberToHex, parseAbi } from 'viem/utils';
import { decodeLog, type Log } from '../chain/chain-reader.ts';
import type { PackedReader } from '../chain/packed-calls.ts';
import type { Address } from '../model.ts';
import { create2Address } from './create2-address.ts';
import {
  type Create2Exchange,
  type ExactInput,
  type Pool,
  type PoolState,
  poolId,
  type SwapResult,
  sortTokens,
  takeNothing,
} from './pool.ts';
import type { PairToDiscover, PoolKind } from './pool-kind.ts';
import { endOfCurve, type TradingCurve } from './trading-curve.ts';

/** Uniswap V2 and its forks. */
export const constantProduct: PoolKind<
  ConstantProductPool,
  ConstantProductState,
  ConstantProductExchange
> = {
  discover: discoverConstantProduct,
  // 29 bytes each.
  poolsPerCall: 400,
  query: writeConstantProductQuery,
  readState: readConstantProductState,
  applyLog: applyConstantProductLog,
  simulate: simulateConstantProduct,
  curve: (state, { zeroForOne }) => constantProductCurve(state, zeroForOne),
  midPrice: ({ reserve0, reserve1 }, zeroForOne) =>
    zeroForOne ? Number(reserve1) / Number(reserve0) : Number(reserve0) / Number(reserve1),
  gasOfHop: 60_000,
  writesOnceABlock: 'cumulative-prices',
  tradesWhatArrives: true,
  // It calls back only where data is handed to it, and the executor hands none.
  runsForeignCode: () => false,
  encodeHop: ({ feeNumerator, feeDenominator }) => ({
    number: 0,
    // What is kept of the input, in ten-thousandths.
    extra: numberToHex((feeNumerator * 10_000n) / feeDenominator, { size: 2 }),
  }),
  uniswapLeg: () => ({ version: 2 }),
};

type ConstantProductExchange = Create2Exchange & {
  readonly kind: 'constant-product';
  readonly feeNumerator: number;
  readonly feeDenominator: number;
};

type ConstantProductPool = Pool & {
  readonly kind: 'constant-product';
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
};

/** Uniswap V2 and its forks: `x · y = k` with a proportional fee on the input. */
export type ConstantProductState = PoolState & {
  readonly kind: 'constant-product';
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  /** The part of the input that trades, as the contract writes it: 997/1000 for Uniswap. */
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
};

/** The one pool an exchange can have for two tokens. Reading it shows whether it exists. */
function discoverConstantProduct(
  exchange: ConstantProductExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): ConstantProductPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  const address = computePoolAddress(exchange, { tokenA, tokenB });
  return [
    {
      kind: 'constant-product',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      feeNumerator: BigInt(exchange.feeNumerator),
      feeDenominator: BigInt(exchange.feeDenominator),
    },
  ];
}

type PairKey = { readonly tokenA: Address; readonly tokenB: Address };

/**
 * The address of the pair of two tokens, in any order of the tokens, without asking the chain:
 * `UniswapV2Library.pairFor`. Does not check that the pair exists.
 */
export function computePoolAddress(exchange: ConstantProductExchange, key: PairKey): Address {
  const tokens = sortTokens(key.tokenA, key.tokenB);
  return create2Address(exchange, keccak256(encodePacked(['address', 'address'], tokens)));
}

/** The query that `PoolReader.sol` answers with the reserves of the pool. */
function writeConstantProductQuery({ address }: ConstantProductPool): Hex {
  return concat(['0x00', address]);
}

/** Reads the state from the rest of an answer that found the pool. */
function readConstantProductState(
  { kind, id, address, token0, token1, feeNumerator, feeDenominator }: ConstantProductPool,
  { answer, blockNumber }: { answer: PackedReader; blockNumber: bigint },
): ConstantProductState {
  return {
    kind,
    id,
    address,
    token0,
    token1,
    blockNumber,
    feeNumerator,
    feeDenominator,
    reserve0: answer.unsigned(14),
    reserve1: answer.unsigned(14),
  };
}

const events = parseAbi([
  'event Sync(uint112 reserve0, uint112 reserve1)',
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
]);

/**
 * The pool after one log of it: `UniswapV2Pair._update` writes reserves nowhere without `Sync`, and the
 * other events of a pair change none. Undefined when the log is not one a pair writes: such a pool is
 * something else as well, and must be read.
 */
export function applyConstantProductLog(
  state: ConstantProductState,
  log: Log,
): ConstantProductState | undefined {
  const event = decodeLog(events, log);
  if (event === undefined) return undefined;
  return event.eventName === 'Sync' ? { ...state, ...event.args } : state;
}

/**
 * Swaps an exact input in a Uniswap V2 pair or a fork with another fee, to the last unit:
 * `UniswapV2Library.getAmountOut` followed by `UniswapV2Pair.swap` [Q13]. The whole input, fee
 * included, stays in the reserves. Takes nothing of an input that the pair would refuse. The pair's
 * check of K always holds for an output rounded down like this one.
 *
 * Does not know of tokens that take a tax on transfer (offer what the pool receives), nor of
 * tokens that lie in the pair beyond its reserves.
 */
export function simulateConstantProduct(
  state: ConstantProductState,
  { zeroForOne, amountIn }: ExactInput,
): SwapResult<ConstantProductState> {
  const reserveIn = zeroForOne ? state.reserve0 : state.reserve1;
  const reserveOut = zeroForOne ? state.reserve1 : state.reserve0;
  if (reserveIn === 0n || reserveOut === 0n) return takeNothing(state, 'liquidity-exhausted');
  const reserveInAfter = reserveIn + amountIn;
  if (reserveInAfter > maxReserve) return takeNothing(state, 'reserve-overflow');

  const amountInLessFee = amountIn * state.feeNumerator;
  const amountOut =
    (amountInLessFee * reserveOut) / (reserveIn * state.feeDenominator + amountInLessFee);
  if (amountOut === 0n) return takeNothing(state, 'no-output');

  const reserveOutAfter = reserveOut - amountOut;
  return {
    amountInUsed: amountIn,
    amountOut,
    stateAfter: {
      ...state,
      reserve0: zeroForOne ? reserveInAfter : reserveOutAfter,
      reserve1: zeroForOne ? reserveOutAfter : reserveInAfter,
    },
    shortfall: undefined,
  };
}

/** The pair keeps its reserves in `uint112`. */
const maxReserve = (1n << 112n) - 1n;

/** One segment, and the end where a reserve would overflow. */
function constantProductCurve(pool: ConstantProductState, zeroForOne: boolean): TradingCurve {
  const reserveIn = Number(zeroForOne ? pool.reserve0 : pool.reserve1);
  const reserveOut = Number(zeroForOne ? pool.reserve1 : pool.reserve0);
  const keep = Number(pool.feeNumerator) / Number(pool.feeDenominator);
  const room = (fullReserve - reserveIn) * keep;
  if (!(reserveIn > 0 && reserveOut > 0 && room > 0)) {
    return { keep, segments: [endOfCurve], compounds: true };
  }
  const liquidity = Math.sqrt(reserveIn * reserveOut);
  const whole = {
    start: Math.sqrt(reserveOut / reserveIn),
    liquidity,
    inputBefore: 0,
    outputBefore: 0,
  };
  const full = {
    start: liquidity / (reserveIn + room),
    liquidity: 0,
    inputBefore: room,
    outputBefore: reserveOut * (room / (reserveIn + room)),
  };
  return { keep, segments: [whole, full], compounds: true };
}

/** A pair counts its reserves in `uint112`. */
const fullReserve = 2 ** 112 - 1;
