// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Payments} from "./Payments.sol";

/// Pools that ask for their input in a callback: Uniswap V3, PancakeSwap V3, Algebra and their forks.
abstract contract ConcentratedSwaps is Payments {
    // Just inside the range of prices that a pool accepts as a limit.
    uint160 internal constant lowestLimit = 4295128740;
    uint160 internal constant highestLimit = 1461446703485210103287273052203988822378723970341;

    function uniswapV3SwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        payPool(delta0, delta1);
    }

    function pancakeV3SwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        payPool(delta0, delta1);
    }

    function algebraSwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        payPool(delta0, delta1);
    }

    /// The pool must take the amount in whole: what it left would stay here.
    function payPool(int256 delta0, int256 delta1) private {
        (address payer, address token, uint256 amount) = acceptCallback();
        require(uint256(delta0 > 0 ? delta0 : delta1) == amount, "not the amount");
        pay(token, payer, msg.sender, amount);
    }

    function swapConcentrated(
        address pool,
        bool zeroForOne,
        uint256 amount,
        address payer,
        address token,
        address to
    ) internal returns (uint256 amountOut) {
        expectCallback(pool, payer, token, amount);
        uint160 limit = zeroForOne ? lowestLimit : highestLimit;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x128acb08)) // swap(address,bool,int256,uint160,bytes)
            mstore(add(data, 4), to)
            mstore(add(data, 36), zeroForOne)
            mstore(add(data, 68), amount)
            mstore(add(data, 100), limit)
            mstore(add(data, 132), 160)
            mstore(add(data, 164), 0)
            if iszero(call(gas(), pool, 0, data, 196, 0, 64)) {
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
            if lt(returndatasize(), 64) { revert(0, 0) }
            amountOut := sub(0, mload(shl(5, zeroForOne)))
        }
        requireCalledBack();
    }
}
