import type { Hex } from 'viem';
import { concat } from 'viem/utils';
import type { PackedReader } from '../../chain/packed-calls.ts';
import type { ConstantProductPool, ConstantProductState } from './constant-product-pool.ts';

/** The query that `PoolReader.sol` answers with the reserves of the pool. */
export function writeConstantProductQuery({ address }: ConstantProductPool): Hex {
  return concat(['0x00', address]);
}

/** Reads the state from the rest of an answer that found the pool. */
export function readConstantProductState(
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
