// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {StandardTransfers} from "./StandardTransfers.sol";
import {TextMetadata} from "./TextMetadata.sol";
import {TokenLedger} from "./TokenLedger.sol";

/// A token as ERC-20 describes it.
contract OrdinaryToken is StandardTransfers, TextMetadata {
    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_) TokenLedger(name_, symbol_, decimals_) {}
}
