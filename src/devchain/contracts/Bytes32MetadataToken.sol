// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {StandardTransfers} from "./StandardTransfers.sol";
import {TokenLedger} from "./TokenLedger.sol";

/// A token like MKR: older than ERC-20's final text, its name and symbol are bytes32.
contract Bytes32MetadataToken is StandardTransfers {
    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_) TokenLedger(name_, symbol_, decimals_) {}

    function name() external view returns (bytes32) {
        return packedName;
    }

    function symbol() external view returns (bytes32) {
        return packedSymbol;
    }
}
