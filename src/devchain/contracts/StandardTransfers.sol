// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {TokenLedger} from "./TokenLedger.sol";

/// The three functions of ERC-20 that move or approve, each answering `true`.
abstract contract StandardTransfers is TokenLedger {
    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _moveFrom(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(spender, value);
        return true;
    }
}
