import { parseAbi } from 'viem/utils';
import { decodeLog, type Log } from '../../chain/chain-reader.ts';
import type { ConcentratedState, InitializedTick, TickState } from './concentrated-pool.ts';
import { isPriceInRange } from './refresh.ts';

const events = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  // PancakeSwap's pools say what the protocol takes, too.
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
  'event CollectProtocol(address indexed sender, address indexed recipient, uint128 amount0, uint128 amount1)',
  'event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)',
  'event IncreaseObservationCardinalityNext(uint16 observationCardinalityNextOld, uint16 observationCardinalityNextNew)',
]);

type Position = { readonly tickLower: number; readonly tickUpper: number; readonly amount: bigint };

/**
 * The pool after one log of it: `swap`, `mint` and `burn` of `UniswapV3Pool` change the price, the liquidity and the
 * ticks by what they log. Undefined when the log does not determine it: it is not of the pool, it moved the price
 * out of the known ticks, or it may have emptied a tick. Only the pool knows whether a tick with a net liquidity of
 * zero is still initialized. Such a pool must be read.
 */
export function applyConcentratedLog(
  state: ConcentratedState,
  log: Log,
): ConcentratedState | undefined {
  const event = decodeLog(events, log);
  switch (event?.eventName) {
    case 'Swap':
      return moveWithin(state, event.args);
    case 'Mint':
      return changePosition(state, event.args);
    case 'Burn':
      return changePosition(state, { ...event.args, amount: -event.args.amount });
    case undefined:
      return undefined;
    default:
      return state;
  }
}

/** The pool at the price that a swap left; undefined where that lies beyond the known ticks. */
export function moveWithin<State extends TickState>(
  state: State,
  { sqrtPriceX96, liquidity, tick }: Pick<State, 'sqrtPriceX96' | 'liquidity' | 'tick'>,
): State | undefined {
  if (!isPriceInRange(sqrtPriceX96)) return undefined;
  if (tick < state.lowestKnownTick || tick > state.highestKnownTick) return undefined;
  return { ...state, sqrtPriceX96, liquidity, tick };
}

/** `UniswapV3Pool._modifyPosition`, as far as pricing sees it; a negative amount is burnt. */
export function changePosition<State extends TickState>(
  state: State,
  { tickLower, tickUpper, amount }: Position,
): State | undefined {
  // A burn of zero only credits the fees of a position to its owner.
  if (amount === 0n) return state;
  const ends = [
    { index: tickLower, liquidityNet: amount },
    { index: tickUpper, liquidityNet: -amount },
  ].filter(({ index }) => index >= state.lowestKnownTick && index <= state.highestKnownTick);
  const changed = ends.map(({ index, liquidityNet }) => {
    const before = state.ticks.find((tick) => tick.index === index);
    return { index, liquidityNet: (before?.liquidityNet ?? 0n) + liquidityNet };
  });
  if (amount < 0n && changed.some(({ liquidityNet }) => liquidityNet === 0n)) return undefined;
  const isActive = tickLower <= state.tick && state.tick < tickUpper;
  return {
    ...state,
    liquidity: isActive ? state.liquidity + amount : state.liquidity,
    ticks: withTicks(state.ticks, changed),
  };
}

function withTicks(
  ticks: readonly InitializedTick[],
  changed: readonly InitializedTick[],
): InitializedTick[] {
  const others = ticks.filter(({ index }) => changed.every((tick) => tick.index !== index));
  return [...others, ...changed].sort((one, other) => one.index - other.index);
}
