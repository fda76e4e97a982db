import type { Hex } from 'viem';
import { encodeFunctionData, encodePacked, keccak256, parseAbi } from 'viem/utils';
import { type PackedReader, writeCallsQuery } from '../../chain/packed-calls.ts';
import { create2Address } from '../create2-address.ts';
import { poolId, sortTokens } from '../pool.ts';
import type { PairToDiscover, PoolKind } from '../pool-kind.ts';
import { solidlyCurve, solidlyMidPrice } from './curve.ts';
import {
  type SolidlyExchange,
  type SolidlyPool,
  type SolidlyState,
  simulateSolidly,
} from './simulate.ts';

/**
 * Solidly and the forks that kept its arithmetic, with volatile and stable pairs [Q26]. Fees are set without a
 * log of the pair, so that it is read at every block.
 */
export const solidly: PoolKind<SolidlyPool, SolidlyState, SolidlyExchange> = {
  discover: discoverSolidly,
  // 193 bytes each.
  poolsPerCall: 100,
  query: writeSolidlyQuery,
  readState: readSolidlyState,
  simulate: simulateSolidly,
  curve: solidlyCurve,
  midPrice: solidlyMidPrice,
  // The stable curve iterates, and fees are paid out with every swap.
  gasOfHop: 140_000,
  writesOnceABlock: 'cumulative-prices',
  tradesWhatArrives: true,
  // It only reads its factory.
  runsForeignCode: () => false,
  encodeHop: () => ({ number: 3, extra: '0x' }),
};

/** The two pairs that an exchange can have for two tokens, one of each curve. Reading shows which exist. */
function discoverSolidly(
  exchange: SolidlyExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): SolidlyPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  const { generation, factory, feeBps } = exchange;
  return [false, true].map((isStable) => {
    const salt = keccak256(
      encodePacked(['address', 'address', 'bool'], [token0, token1, isStable]),
    );
    const address = create2Address(exchange, salt);
    return {
      kind: 'solidly',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      generation,
      isStable,
      factory,
      feeBps: feeBps === 'factory' ? undefined : BigInt(isStable ? feeBps.stable : feeBps.volatile),
    };
  });
}

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
function writeSolidlyQuery(pool: SolidlyPool): Hex {
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
function readSolidlyState(
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
