// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {PackedAnswer, createAnswer} from "./PackedAnswer.sol";

/// Makes many read-only calls in one, without being deployed: its constructor answers in place of code.
///
/// The answers come in the same order, and end early when gas or room do: whether the call succeeded (1),
/// the length of what is given of its data (2), and the data, cut off after `longestData`.
contract CallMany {
    struct Call {
        address target;
        bytes data;
    }

    constructor(Call[] memory calls, uint256 gasPerCall, uint256 longestData) {
        PackedAnswer memory answer = createAnswer();
        for (uint256 index; index < calls.length; index++) {
            // A callee gets the gas it was promised or is not called (EIP-150 keeps back a 64th).
            if (!answer.hasRoom(3 + longestData, gasPerCall + gasPerCall / 32 + 50_000)) break;
            address target = calls[index].target;
            bytes memory data = calls[index].data;
            bool ok;
            uint256 length;
            assembly ("memory-safe") {
                ok := staticcall(gasPerCall, target, add(data, 32), mload(data), 0, 0)
                length := returndatasize()
                if gt(length, longestData) { length := longestData }
            }
            answer.put(ok && target.code.length > 0 ? 1 : 0, 1);
            answer.put(length, 2);
            uint256 cursor = answer.cursor;
            assembly ("memory-safe") {
                returndatacopy(cursor, 0, length)
            }
            answer.cursor = cursor + length;
        }
        answer.finish();
    }
}
