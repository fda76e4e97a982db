import { parseAbi } from 'viem/utils';
import type { Log } from '../../chain/chain-reader.ts';
import { changePosition, moveWithin } from '../concentrated/decode.ts';
import { decodeLog } from '../decode-log.ts';
import type { UniswapV4Pool, UniswapV4State } from './uniswap-v4-pool.ts';

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
