// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Payments} from "./Payments.sol";

interface CurvePool {
    // Old pools answer nothing.
    function exchange(int128 i, int128 j, uint256 amountIn, uint256 minimum) external;
}

interface Vault {
    function deposit(uint256 assets, address receiver) external returns (uint256 shares);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
}

/// Pools that take their input by an allowance, and may run any code: Curve's StableSwap, ERC-4626 vaults.
/// They trade with this contract alone, and what it allows them is used up at once.
abstract contract ApprovedSwaps is Payments {
    function swapCurve(address pool, uint256 places, uint256 amount, address token, address tokenOut)
        internal
        returns (uint256)
    {
        approve(token, pool, amount);
        uint256 before = balanceOf(tokenOut, address(this));
        CurvePool(pool).exchange(int128(uint128(places >> 8)), int128(uint128(places & 0xff)), amount, 0);
        requireUsedUp(token, pool);
        return balanceOf(tokenOut, address(this)) - before;
    }

    /// The share of a vault is the vault: whoever gives it wants the asset, and whoever gives another token the share.
    function swapVault(address vault, uint256 amount, address token) internal returns (uint256 amountOut) {
        if (token == vault) return Vault(vault).redeem(amount, address(this), address(this));
        approve(token, vault, amount);
        amountOut = Vault(vault).deposit(amount, address(this));
        requireUsedUp(token, vault);
    }
}
