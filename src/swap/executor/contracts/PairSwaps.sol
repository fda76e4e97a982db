// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Payments} from "./Payments.sol";

interface SolidlyPair {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
}

/// Pools that get their input before the call: Uniswap V2, Solidly and their forks.
abstract contract PairSwaps is Payments {
    uint256 private constant feeUnit = 10_000;

    /// What arrived is measured, so that taxed tokens work. `kept` is the part of 10,000 that trades; a
    /// Solidly pair, which has none, tells the output itself.
    function swapPair(address pool, bool zeroForOne, uint256 kept, address token, address to)
        internal
        returns (uint256 amountOut)
    {
        (uint256 reserveIn, uint256 reserveOut) = reservesOf(pool);
        if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        uint256 input = balanceOf(token, pool) - reserveIn;
        if (kept == 0) {
            amountOut = SolidlyPair(pool).getAmountOut(input, token);
        } else {
            input *= kept;
            amountOut = (input * reserveOut) / (reserveIn * feeUnit + input);
        }
        (uint256 out0, uint256 out1) = zeroForOne ? (uint256(0), amountOut) : (amountOut, uint256(0));
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x022c0d9f)) // swap(uint256,uint256,address,bytes)
            mstore(add(data, 4), out0)
            mstore(add(data, 36), out1)
            mstore(add(data, 68), to)
            mstore(add(data, 100), 128)
            mstore(add(data, 132), 0)
            if iszero(call(gas(), pool, 0, data, 164, 0, 0)) {
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
        }
    }

    function reservesOf(address pair) private view returns (uint256 reserve0, uint256 reserve1) {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0x0902f1ac)) // getReserves()
            if iszero(staticcall(gas(), pair, 0, 4, 0, 64)) { revert(0, 0) }
            if lt(returndatasize(), 64) { revert(0, 0) }
            reserve0 := mload(0)
            reserve1 := mload(32)
        }
    }
}
