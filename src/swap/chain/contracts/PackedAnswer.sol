// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Answers that a constructor returns in place of code. A node takes them for code: at most 24,576 bytes
/// (EIP-170), 200 gas for each, and not beginning with 0xEF (EIP-3541), hence the version in front.
library PackedAnswer {
    uint256 private constant ROOM = 24_000;
    uint256 private constant GAS_PER_BYTE = 200;
    uint256 private constant VERSION = 1;

    struct Answer {
        uint256 start;
        uint256 cursor;
    }

    function create() internal pure returns (Answer memory answer) {
        // Writes are whole words, so the last one may reach beyond the room.
        bytes memory space = new bytes(ROOM + 32);
        assembly ("memory-safe") {
            mstore(answer, add(space, 32))
            mstore(add(answer, 32), add(space, 32))
        }
        put(answer, VERSION, 1);
    }

    /// Appends the low `size` bytes of a value. Does not check the room: `hasRoom` does, for many at once.
    function put(Answer memory answer, uint256 value, uint256 size) internal pure {
        uint256 cursor = answer.cursor;
        assembly ("memory-safe") {
            mstore(cursor, shl(sub(256, mul(8, size)), value))
        }
        answer.cursor = cursor + size;
    }

    /// Whether `size` more bytes fit, and `work` more gas can be spent before they are paid for.
    function hasRoom(Answer memory answer, uint256 size, uint256 work) internal view returns (bool) {
        uint256 length = answer.cursor - answer.start + size;
        return length <= ROOM && gasleft() > work + length * GAS_PER_BYTE;
    }

    /// Ends the constructor with what has been put.
    function finish(Answer memory answer) internal pure {
        uint256 start = answer.start;
        uint256 length = answer.cursor - start;
        assembly ("memory-safe") {
            return(start, length)
        }
    }
}
