// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Slots} from "./Slots.sol";

/// All calls to tokens. Tokens that answer nothing are believed, as everywhere.
abstract contract Payments is Slots {
    /// Moves tokens of the payer or, where that is zero, of this contract.
    function pay(address token, address payer, address to, uint256 amount) internal {
        bool isMoved;
        assembly ("memory-safe") {
            let data := mload(0x40)
            switch payer
            case 0 {
                mstore(data, shl(224, 0xa9059cbb)) // transfer(address,uint256)
                mstore(add(data, 4), to)
                mstore(add(data, 36), amount)
                isMoved := call(gas(), token, 0, data, 68, 0, 32)
            }
            default {
                mstore(data, shl(224, 0x23b872dd)) // transferFrom(address,address,uint256)
                mstore(add(data, 4), payer)
                mstore(add(data, 36), to)
                mstore(add(data, 68), amount)
                isMoved := call(gas(), token, 0, data, 100, 0, 32)
            }
            if iszero(isMoved) {
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
            if returndatasize() { isMoved := and(gt(returndatasize(), 31), eq(mload(0), 1)) }
        }
        require(isMoved, "token refuses");
    }

    function send(address token, bool isNative, address to, uint256 amount) internal {
        if (isNative) {
            (bool isTaken,) = to.call{value: amount}("");
            require(isTaken, "recipient refuses ether");
        } else {
            pay(token, address(0), to, amount);
        }
    }

    /// Allows a pool exactly what it is about to take; `requireUsedUp` holds it to that.
    function approve(address token, address pool, uint256 amount) internal {
        bool isAllowed;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x095ea7b3)) // approve(address,uint256)
            mstore(add(data, 4), pool)
            mstore(add(data, 36), amount)
            isAllowed := call(gas(), token, 0, data, 68, 0, 32)
            if returndatasize() { isAllowed := and(isAllowed, and(gt(returndatasize(), 31), eq(mload(0), 1))) }
        }
        require(isAllowed, "token refuses");
    }

    function requireUsedUp(address token, address pool) internal view {
        uint256 allowed;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0xdd62ed3e)) // allowance(address,address)
            mstore(add(data, 4), address())
            mstore(add(data, 36), pool)
            allowed := 1
            if staticcall(gas(), token, data, 68, 0, 32) { if gt(returndatasize(), 31) { allowed := mload(0) } }
        }
        require(allowed == 0, "allowance left");
    }

    function wrap(address wrapped, uint256 amount) internal {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0xd0e30db0)) // deposit()
            if iszero(call(gas(), wrapped, amount, 0, 4, 0, 0)) { revert(0, 0) }
        }
    }

    function unwrap(address wrapped, uint256 amount) internal {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0x2e1a7d4d)) // withdraw(uint256)
            mstore(4, amount)
            if iszero(call(gas(), wrapped, 0, 0, 36, 0, 0)) { revert(0, 0) }
        }
    }

    function balanceOf(address token, address holder) internal view returns (uint256 amount) {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0x70a08231)) // balanceOf(address)
            mstore(4, holder)
            if iszero(staticcall(gas(), token, 0, 36, 0, 32)) { revert(0, 0) }
            if lt(returndatasize(), 32) { revert(0, 0) }
            amount := mload(0)
        }
    }
}
