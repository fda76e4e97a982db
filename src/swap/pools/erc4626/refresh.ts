import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { type PackedReader, writeCallsQuery } from '../../chain/packed-calls.ts';
import { type Erc4626Pool, type Erc4626State, mostAssetsOf } from './erc4626-pool.ts';

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
export function writeErc4626Query({ address }: Erc4626Pool): Hex {
  return writeCallsQuery(
    address,
    reads.map((data) => ({ to: address, data, words: 1 })),
  );
}

/**
 * The totals with the virtual part that the vault's own previews show. A vault whose previews are no
 * quotient of such totals, because it takes a fee or lends at two prices, is unreadable.
 */
export function readErc4626State(
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
