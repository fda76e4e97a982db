// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {StandardTransfers} from "./StandardTransfers.sol";
import {TextMetadata} from "./TextMetadata.sol";
import {TokenLedger} from "./TokenLedger.sol";

/// A token that takes a fee on each transfer: the recipient gets less than was sent, the rest is burnt.
contract TaxedToken is StandardTransfers, TextMetadata {
    uint256 public immutable taxBps;

    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_, uint256 taxBps_)
        TokenLedger(name_, symbol_, decimals_)
    {
        taxBps = taxBps_;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 tax = value * taxBps / 10_000;
        super._move(from, to, value - tax);
        require(balanceOf[from] >= tax, "transfer amount exceeds balance");
        unchecked {
            balanceOf[from] -= tax;
            totalSupply -= tax;
        }
        emit Transfer(from, address(0), tax);
    }
}
