import { parseAbi } from 'viem/utils';
import type { Log } from '../../chain/chain-reader.ts';
import { decodeLog } from '../decode-log.ts';
import type { ConstantProductState } from './constant-product-pool.ts';

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
