// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// An answer that a constructor returns in place of code. A node takes it for code: at most 24,576 bytes
/// (EIP-170), 200 gas for each, and not beginning with 0xEF (EIP-3541), hence the version in front.
struct PackedAnswer {
    uint256 start;
    uint256 cursor;
}

using {put, hasRoom, finish} for PackedAnswer global;

uint256 constant ROOM = 24_000;
uint256 constant GAS_PER_BYTE = 200;
uint256 constant VERSION = 1;

function createAnswer() pure returns (PackedAnswer memory answer) {
    // Values are written as whole words, so the last one may reach beyond the room.
    bytes memory space = new bytes(ROOM + 32);
    uint256 start;
    assembly ("memory-safe") {
        start := add(space, 32)
    }
    answer = PackedAnswer(start, start);
    answer.put(VERSION, 1);
}

/// Appends the low `size` bytes of a value. Does not check the room: `hasRoom` does, for many at once.
function put(PackedAnswer memory answer, uint256 value, uint256 size) pure {
    uint256 cursor = answer.cursor;
    assembly ("memory-safe") {
        mstore(cursor, shl(sub(256, mul(8, size)), value))
    }
    answer.cursor = cursor + size;
}

/// Whether `size` more bytes fit, and `work` more gas can be spent before the answer is paid for.
function hasRoom(PackedAnswer memory answer, uint256 size, uint256 work) view returns (bool) {
    uint256 length = answer.cursor - answer.start + size;
    return length <= ROOM && gasleft() > work + length * GAS_PER_BYTE;
}

/// Ends the constructor with what has been put.
function finish(PackedAnswer memory answer) pure {
    uint256 start = answer.start;
    uint256 length = answer.cursor - start;
    assembly ("memory-safe") {
        return(start, length)
    }
}
