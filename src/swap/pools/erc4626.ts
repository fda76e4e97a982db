import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { type PackedReader, writeCallsQuery } from '../chain/packed-calls.ts';
import type { Address } from '../model.ts';
import {
  type CommonExchange,
  type ExactInput,
  type Pool,
  type PoolState,
  poolId,
  type SwapResult,
  sortTokens,
  takeNothing,
} from './pool.ts';
import type { PairToDiscover, PoolKind } from './pool-kind.ts';
import { linearCurve } from './trading-curve.ts';

/** Vaults of ERC-4626 [Q26]. Their rate grows without a log, so that they are read at every block. */
export const erc4626: PoolKind<Erc4626Pool, Erc4626State, Erc4626Exchange> = {
  discover: discoverErc4626,
  // 161 bytes each.
  poolsPerCall: 100,
  query: writeErc4626Query,
  readState: readErc4626State,
  simulate: simulateErc4626,
  curve: (state, { zeroForOne }) =>
    linearCurve({
      rate: rateOf(state, zeroForOne),
      capacity:
        zeroForOne === state.isShareToken0
          ? Number(state.shares)
          : Number(state.mostAssets - state.assets),
    }),
  midPrice: rateOf,
  // Includes an allowance of its own and a transfer to the executor.
  gasOfHop: 120_000,
  // Strategies, and whatever else a vault does with its assets.
  runsForeignCode: () => true,
  encodeHop: () => ({ number: 5, extra: '0x' }),
};

function rateOf({ shares, assets, isShareToken0 }: Erc4626State, zeroForOne: boolean): number {
  return zeroForOne === isShareToken0
    ? Number(assets) / Number(shares)
    : Number(shares) / Number(assets);
}

/** The vaults of a chain, listed here because nothing on the chain lists them. `factory` is the first of them. */
type Erc4626Exchange = CommonExchange & {
  readonly kind: 'erc4626';
  readonly vaults: readonly Vault[];
};

/** A vault, which is its own share, and what it is a share of. */
type Vault = { readonly address: Address; readonly asset: Address };

type Erc4626Pool = Pool & { readonly kind: 'erc4626' };

/**
 * A vault of ERC-4626 whose price is the quotient of two totals: a deposit of `a` assets makes `a · shares / assets`
 * shares, a redemption the reverse, both rounded down. OpenZeppelin, Solmate and Solady price this way, and differ
 * in what they add to the totals. A vault with a fee does not price this way.
 */
export type Erc4626State = PoolState & {
  readonly kind: 'erc4626';
  /** Whether token 0 is the share, which is the vault itself, and token 1 the asset. */
  readonly isShareToken0: boolean;
  /** The total supply of shares, plus the virtual shares of the vault. */
  readonly shares: bigint;
  /** The total assets of the vault, plus its virtual assets. */
  readonly assets: bigint;
  /** The most assets that we compute with after all deposits of a block; see {@link mostAssetsOf}. */
  readonly mostAssets: bigint;
};

/**
 * Seventeen times what a vault held when it was read. The curve needs an end, and a trade beyond this would dwarf
 * the vault. It does not move with deposits: otherwise several could together give more than the curve, which bounds
 * them all [Q19].
 */
export function mostAssetsOf(assets: bigint): bigint {
  return assets * 17n;
}

/** The vaults that are one of the tokens and take the other. */
function discoverErc4626(
  exchange: Erc4626Exchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): Erc4626Pool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.vaults
    .filter(
      ({ address, asset }) =>
        (address === token0 && asset === token1) || (address === token1 && asset === token0),
    )
    .map(({ address }) => ({
      kind: 'erc4626',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
    }));
}

const abi = parseAbi([
  'function asset() view returns (address)',
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
]);

/** Large enough that every unit which a vault adds to its totals shows in a preview. */
const previewed = 1n << 96n;

const reads: readonly Hex[] = [
  encodeFunctionData({ abi, functionName: 'asset' }),
  encodeFunctionData({ abi, functionName: 'totalAssets' }),
  encodeFunctionData({ abi, functionName: 'totalSupply' }),
  encodeFunctionData({ abi, functionName: 'previewDeposit', args: [previewed] }),
  encodeFunctionData({ abi, functionName: 'previewRedeem', args: [previewed] }),
];

/** What vaults add to both totals: nothing, or one asset and a power of ten of shares. */
const virtualTotals = [
  { shares: 0n, assets: 0n },
  ...Array.from({ length: 19 }, (_, power) => ({ shares: 10n ** BigInt(power), assets: 1n })),
];

/** The query that `PoolReader.sol` answers with the asset, both totals and a preview in each direction. */
function writeErc4626Query({ address }: Erc4626Pool): Hex {
  return writeCallsQuery(
    address,
    reads.map((data) => ({ to: address, data, words: 1 })),
  );
}

/**
 * The totals with the virtual part that the vault's own previews show. A vault whose previews are no
 * quotient of such totals, because it takes a fee or lends at two prices, is unreadable.
 */
function readErc4626State(
  { kind, id, address, token0, token1 }: Erc4626Pool,
  { answer, blockNumber }: { readonly answer: PackedReader; readonly blockNumber: bigint },
): Erc4626State | 'unreadable' {
  const isShareToken0 = address === token0;
  const asset = answer.unsigned(32);
  const totalAssets = answer.unsigned(32);
  const totalSupply = answer.unsigned(32);
  const deposited = answer.unsigned(32);
  const redeemed = answer.unsigned(32);
  if (asset !== BigInt(isShareToken0 ? token1 : token0)) return 'unreadable';
  const totals = virtualTotals
    .map((added) => ({ shares: totalSupply + added.shares, assets: totalAssets + added.assets }))
    .find(
      ({ shares, assets }) =>
        shares > 0n &&
        assets > 0n &&
        (previewed * shares) / assets === deposited &&
        (previewed * assets) / shares === redeemed,
    );
  if (totals === undefined) return 'unreadable';
  const mostAssets = mostAssetsOf(totals.assets);
  return { kind, id, address, token0, token1, blockNumber, isShareToken0, ...totals, mostAssets };
}

/**
 * Deposits or redeems an exact input in an ERC-4626 vault, to the last unit: `deposit` for the asset
 * and `redeem` for the share, as OpenZeppelin, Solmate and Solady round them [Q26]. Takes nothing of
 * deposits beyond `mostAssets`.
 *
 * Does not know the limits of the vault (`maxDeposit`, `maxRedeem`), nor whether it can pay out at
 * once: the trial of the transaction shows both. A vault would keep an input too small to give
 * anything; this simulation takes nothing of it.
 */
export function simulateErc4626(
  state: Erc4626State,
  { zeroForOne, amountIn }: ExactInput,
): SwapResult<Erc4626State> {
  const { shares, assets } = state;
  if (shares === 0n || assets === 0n) return takeNothing(state, 'liquidity-exhausted');
  if (zeroForOne === state.isShareToken0) {
    if (amountIn > shares) return takeNothing(state, 'liquidity-exhausted');
    const amountOut = (amountIn * assets) / shares;
    return settle(state, { amountIn, amountOut, shares: -amountIn, assets: -amountOut });
  }
  if (assets + amountIn > state.mostAssets) return takeNothing(state, 'reserve-overflow');
  const amountOut = (amountIn * shares) / assets;
  return settle(state, { amountIn, amountOut, shares: amountOut, assets: amountIn });
}

function settle(
  state: Erc4626State,
  change: { amountIn: bigint; amountOut: bigint; shares: bigint; assets: bigint },
): SwapResult<Erc4626State> {
  const { amountIn, amountOut } = change;
  if (amountOut === 0n) return takeNothing(state, 'no-output');
  const shares = state.shares + change.shares;
  const assets = state.assets + change.assets;
  if (shares > maxTotal || assets > maxTotal) return takeNothing(state, 'reserve-overflow');
  const stateAfter = { ...state, shares, assets };
  return { amountInUsed: amountIn, amountOut, stateAfter, shortfall: undefined };
}

/** Totals are kept in `uint256`. */
const maxTotal = (1n << 256n) - 1n;
