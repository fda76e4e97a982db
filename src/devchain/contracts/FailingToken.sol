// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {TextMetadata} from "./TextMetadata.sol";
import {TokenLedger} from "./TokenLedger.sol";

/// A token that can be minted and approved but never moved, like one whose owner has paused it.
contract FailingToken is TextMetadata {
    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_) TokenLedger(name_, symbol_, decimals_) {}

    function transfer(address, uint256) external pure returns (bool) {
        revert("transfers are paused");
    }

    function transferFrom(address, address, uint256) external pure returns (bool) {
        revert("transfers are paused");
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(spender, value);
        return true;
    }
}
