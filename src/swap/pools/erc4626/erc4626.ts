import type { PoolKind } from '../pool-kind.ts';
import { linearCurve } from '../trading-curve.ts';
import { discoverErc4626 } from './discover.ts';
import type { Erc4626Exchange, Erc4626Pool, Erc4626State } from './erc4626-pool.ts';
import { readErc4626State, writeErc4626Query } from './refresh.ts';
import { simulateErc4626 } from './simulate.ts';

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
