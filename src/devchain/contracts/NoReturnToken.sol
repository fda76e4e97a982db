// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {TextMetadata} from "./TextMetadata.sol";
import {TokenLedger} from "./TokenLedger.sol";

/// A token like USDT: its functions return nothing, and an allowance can only be changed from or to zero.
contract NoReturnToken is TextMetadata {
    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_) TokenLedger(name_, symbol_, decimals_) {}

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _moveFrom(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        // The token on mainnet gives no reason either.
        require(value == 0 || allowance[msg.sender][spender] == 0);
        _approve(spender, value);
    }
}
