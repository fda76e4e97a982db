import type { Hex } from 'viem';
import { encodeFunctionData, numberToHex, parseAbi } from 'viem/utils';
import { type PackedReader, writeCallsQuery } from '../../chain/packed-calls.ts';
import { poolId, sortTokens } from '../pool.ts';
import type { PairToDiscover, PoolKind } from '../pool-kind.ts';
import { curveMidPrice, curveOf } from './curve-of.ts';
import { type CurveExchange, type CurvePool, type CurveState, simulateCurve } from './simulate.ts';

/**
 * Curve's first plain pools. Every two coins of one are a pool of their own here [Q26]. Their settings change
 * without a log of the state, so that they are read at every block.
 */
export const curve: PoolKind<CurvePool, CurveState, CurveExchange> = {
  discover: discoverCurve,
  // Some 300 bytes each.
  poolsPerCall: 60,
  query: writeCurveQuery,
  readState: readCurveState,
  simulate: simulateCurve,
  curve: curveOf,
  midPrice: curveMidPrice,
  // Two iterations, an allowance of its own, and transfers to and from the executor.
  gasOfHop: 180_000,
  // Any token may be one of its coins, and old pools call their coins whatever they are.
  runsForeignCode: () => true,
  encodeHop: ({ index0, index1 }, zeroForOne) => {
    const [sold, bought] = zeroForOne ? [index0, index1] : [index1, index0];
    return { number: 4, extra: numberToHex(sold * 256 + bought, { size: 2 }) };
  },
};

/** The two tokens in each pool that has both. */
function discoverCurve(
  exchange: CurveExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): CurvePool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.pools.flatMap(({ address, coins }): CurvePool[] => {
    const index0 = coins.findIndex((coin) => coin.address === token0);
    const index1 = coins.findIndex((coin) => coin.address === token1);
    if (index0 < 0 || index1 < 0) return [];
    const id = poolId(address, `${index0}-${index1}`);
    return [
      {
        kind: 'curve',
        id,
        address,
        exchange: exchange.name,
        token0,
        token1,
        coins,
        index0,
        index1,
      },
    ];
  });
}

const abi = parseAbi([
  'function A() view returns (uint256)',
  'function fee() view returns (uint256)',
  'function admin_fee() view returns (uint256)',
  'function balances(int128 coin) view returns (uint256)',
  'function get_dy(int128 sold, int128 bought, uint256 amount) view returns (uint256)',
]);

const settings: readonly Hex[] = [
  encodeFunctionData({ abi, functionName: 'A' }),
  encodeFunctionData({ abi, functionName: 'fee' }),
  encodeFunctionData({ abi, functionName: 'admin_fee' }),
];

/** The query that `PoolReader.sol` answers with settings and balances, and with what a whole token is worth. */
function writeCurveQuery(pool: CurvePool): Hex {
  const { address, coins, index0, index1 } = pool;
  const balances = coins.map((_, index) =>
    encodeFunctionData({ abi, functionName: 'balances', args: [BigInt(index)] }),
  );
  const args = [BigInt(index0), BigInt(index1), wholeToken0(pool)] as const;
  const worth = encodeFunctionData({ abi, functionName: 'get_dy', args });
  return writeCallsQuery(
    address,
    [...settings, ...balances, worth].map((data) => ({ to: address, data, words: 1 })),
  );
}

/**
 * Reads the state from the rest of an answer that found the pool. Many kinds of Curve pools have the same getters:
 * a pool whose output for a whole token differs from ours is unreadable.
 */
function readCurveState(
  pool: CurvePool,
  { answer, blockNumber }: { readonly answer: PackedReader; readonly blockNumber: bigint },
): CurveState | 'unreadable' {
  const { kind, id, address, token0, token1, coins, index0, index1 } = pool;
  const amplification = answer.unsigned(32);
  const fee = answer.unsigned(32);
  const adminFee = answer.unsigned(32);
  const balances = coins.map(() => answer.unsigned(32));
  const worth = answer.unsigned(32);
  const state: CurveState = {
    kind,
    id,
    group: poolId(address),
    address,
    token0,
    token1,
    blockNumber,
    balances,
    rates: coins.map(({ decimals }) => 10n ** BigInt(36 - decimals)),
    amplification,
    fee,
    adminFee,
    index0,
    index1,
  };
  if (amplification === 0n || fee >= 10n ** 10n) return 'unreadable';
  const offer = { zeroForOne: true, amountIn: wholeToken0(pool) };
  const difference = worth - simulateCurve(state, offer).amountOut;
  // `get_dy` takes the fee after it has rounded, `exchange` before.
  return difference >= -1n && difference <= 1n ? state : 'unreadable';
}

function wholeToken0({ coins, index0 }: CurvePool): bigint {
  return 10n ** BigInt(coins[index0]?.decimals ?? 0);
}
