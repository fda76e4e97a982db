import type { ExactInput, SwapResult } from '../pool-state.ts';
import { takeNothing } from '../take-nothing.ts';
import type { Erc4626State } from './erc4626-pool.ts';

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
