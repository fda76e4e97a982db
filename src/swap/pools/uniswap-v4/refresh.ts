import type { Hex } from 'viem';
import { concat, numberToHex } from 'viem/utils';
import type { PackedReader } from '../../chain/packed-calls.ts';
import { readPriceAndTicks, usualReach, writeReach } from '../concentrated/refresh.ts';
import type { TickReach } from '../pool.ts';
import type { UniswapV4Pool, UniswapV4State } from './uniswap-v4-pool.ts';

/** The query that `PoolReader.sol` answers from the manager's storage. */
export function writeUniswapV4Query(
  { address, key: { hash, tickSpacing } }: UniswapV4Pool,
  reach: TickReach = usualReach({ tickSpacing }),
): Hex {
  return concat(['0x03', address, hash, numberToHex(tickSpacing, { size: 3 }), writeReach(reach)]);
}

/** Reads the state from the rest of an answer that found the pool. */
export function readUniswapV4State(
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
