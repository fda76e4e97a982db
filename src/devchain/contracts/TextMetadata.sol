// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {TokenLedger} from "./TokenLedger.sol";

/// Name and symbol as strings.
abstract contract TextMetadata is TokenLedger {
    function name() external view returns (string memory) {
        return _unpack(packedName);
    }

    function symbol() external view returns (string memory) {
        return _unpack(packedSymbol);
    }

    function _unpack(bytes32 packed) private pure returns (string memory) {
        uint256 length;
        while (length < 32 && packed[length] != 0) length++;
        bytes memory text = new bytes(length);
        for (uint256 index; index < length; index++) text[index] = packed[index];
        return string(text);
    }
}
