import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { type PackedReader, writeCallsQuery } from '../../chain/packed-calls.ts';
import type { SolidlyPool, SolidlyState } from './solidly-pool.ts';

const abi = parseAbi([
  'function metadata() view returns (uint256, uint256, uint256, uint256, bool, address, address)',
  'function getFee(address pair, bool isStable) view returns (uint256)',
  'function isPaused() view returns (bool)',
]);

const metadata = encodeFunctionData({ abi, functionName: 'metadata' });
const isPaused = encodeFunctionData({ abi, functionName: 'isPaused' });

/**
 * The query that `PoolReader.sol` answers with units, reserves and curve of the pair, its fee, and whether
 * the factory has stopped all swaps, where it can.
 */
export function writeSolidlyQuery(pool: SolidlyPool): Hex {
  const { address, generation, isStable, factory, feeBps } = pool;
  const getFee = { abi, functionName: 'getFee', args: [address, isStable] } as const;
  return writeCallsQuery(address, [
    { to: address, data: metadata, words: 5 },
    ...(feeBps === undefined ? [{ to: factory, data: encodeFunctionData(getFee), words: 1 }] : []),
    ...(generation === 'velodrome-v2' ? [{ to: factory, data: isPaused, words: 1 }] : []),
  ]);
}

/**
 * Reads the state from the rest of an answer that found the pair. A pair of another curve, or a paused one, is
 * unreadable.
 */
export function readSolidlyState(
  { kind, id, address, token0, token1, generation, isStable, feeBps }: SolidlyPool,
  { answer, blockNumber }: { readonly answer: PackedReader; readonly blockNumber: bigint },
): SolidlyState | 'unreadable' {
  const unit0 = answer.unsigned(32);
  const unit1 = answer.unsigned(32);
  const reserve0 = answer.unsigned(32);
  const reserve1 = answer.unsigned(32);
  const isStableThere = answer.unsigned(32) === 1n;
  const state: SolidlyState = {
    kind,
    id,
    address,
    token0,
    token1,
    blockNumber,
    generation,
    isStable,
    reserve0,
    reserve1,
    unit0,
    unit1,
    feeBps: feeBps ?? answer.unsigned(32),
  };
  const isStopped = generation === 'velodrome-v2' && answer.unsigned(32) !== 0n;
  const isSound = isStableThere === isStable && unit0 > 0n && unit1 > 0n && state.feeBps < 10_000n;
  return isSound && !isStopped ? state : 'unreadable';
}
