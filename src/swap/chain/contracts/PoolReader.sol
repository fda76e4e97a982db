// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {PackedAnswer, createAnswer} from "./PackedAnswer.sol";

interface ConstantProductPool {
    function getReserves() external view;
}

interface ConcentratedPool {
    function slot0() external view;
    function liquidity() external view;
    function fee() external view;
    function tickSpacing() external view;
    function tickBitmap(int16) external view;
    function ticks(int24) external view;
}

/// Reads many pools in one call without being deployed: its constructor answers in place of code.
///
/// A query is packed: kind (1 byte) and pool (20); for a concentrated pool also how many bitmap words to
/// read below and above that of the current tick at most (2 each), and the number of ticks after which a
/// side is long enough (2). Answers come in the same order, and end early when gas or room do:
/// - one byte for what was found;
/// - constant product: both reserves (14 each);
/// - concentrated: fee (3), tick spacing (3), square root of the price (20), tick (3), liquidity (16);
///   then the words: that of the tick, those above upwards, END, those below downwards, END.
///   A word is EMPTY, or FILLED with its bitmap (32) and the net liquidity of each tick upwards: the
///   length of its magnitude, plus 128 if it is negative (1), and the magnitude.
contract PoolReader {
    uint256 private constant CONCENTRATED = 1;

    uint256 private constant NOTHING_THERE = 0;
    uint256 private constant FOUND = 1;
    uint256 private constant REFUSED = 2;

    uint256 private constant EMPTY = 0;
    uint256 private constant FILLED = 1;
    uint256 private constant END = 2;

    /// Ten times what any of the getters takes, for pools behind proxies.
    uint256 private constant GETTER_GAS = 100_000;
    /// `ticks` reads four cold slots.
    uint256 private constant TICK_GAS = 15_000;
    uint256 private constant TICK_ROOM = 17;
    uint256 private constant HEAD_ROOM = 64;
    int256 private constant MAX_TICK = 887_272;

    struct Side {
        int256 step;
        uint256 words;
        uint256 ticks;
    }

    constructor(bytes memory queries) {
        PackedAnswer memory answer = createAnswer();
        uint256 offset;
        while (offset < queries.length && answer.hasRoom(HEAD_ROOM, 5 * GETTER_GAS)) {
            uint256 kind = _read(queries, offset, 1);
            address pool = address(uint160(_read(queries, offset + 1, 20)));
            offset += 21;
            if (kind != CONCENTRATED) {
                _answerConstantProduct(answer, pool);
            } else {
                uint256 before = answer.cursor;
                if (!_answerConcentrated(answer, pool, _read(queries, offset, 6))) {
                    answer.cursor = before;
                    break;
                }
                offset += 6;
            }
        }
        answer.finish();
    }

    function _answerConstantProduct(PackedAnswer memory answer, address pool) private view {
        if (pool.code.length == 0) return answer.put(NOTHING_THERE, 1);
        (bool ok, uint256 reserve0, uint256 reserve1) =
            _get(pool, ConstantProductPool.getReserves.selector, 0, 64);
        if (!ok) return answer.put(REFUSED, 1);
        answer.put(FOUND, 1);
        answer.put(reserve0, 14);
        answer.put(reserve1, 14);
    }

    /// False when there is no room or gas for the word of the current tick.
    function _answerConcentrated(PackedAnswer memory answer, address pool, uint256 wanted)
        private
        view
        returns (bool)
    {
        if (pool.code.length == 0) {
            answer.put(NOTHING_THERE, 1);
            return true;
        }
        (bool ok, int256 tick, int256 spacing) = _answerPrice(answer, pool);
        if (!ok) {
            answer.put(REFUSED, 1);
            return true;
        }
        int256 word = _floorDivide(tick, spacing) >> 8;
        uint256 ticks;
        (ok, ticks) = _answerWord(answer, pool, word, spacing);
        if (!ok) return false;
        uint256 missing = wanted & 0xffff > ticks / 2 ? (wanted & 0xffff) - ticks / 2 : 0;
        _answerSide(answer, pool, word, spacing, Side(1, (wanted >> 16) & 0xffff, missing));
        _answerSide(answer, pool, word, spacing, Side(-1, wanted >> 32, missing));
        return true;
    }

    function _answerPrice(PackedAnswer memory answer, address pool)
        private
        view
        returns (bool, int256 tick, int256 spacing)
    {
        (bool hasPrice, uint256 price, uint256 rawTick) = _get(pool, ConcentratedPool.slot0.selector, 0, 64);
        (bool hasLiquidity, uint256 liquidity,) = _get(pool, ConcentratedPool.liquidity.selector, 0, 32);
        (bool hasFee, uint256 fee,) = _get(pool, ConcentratedPool.fee.selector, 0, 32);
        (bool hasSpacing, uint256 rawSpacing,) = _get(pool, ConcentratedPool.tickSpacing.selector, 0, 32);
        tick = int256(rawTick);
        spacing = int256(rawSpacing);
        // A pool without a price has been created and never used.
        if (!hasPrice || !hasLiquidity || !hasFee || !hasSpacing || price == 0) return (false, 0, 0);
        if (spacing < 1 || spacing > MAX_TICK || tick > MAX_TICK || tick < -MAX_TICK) return (false, 0, 0);
        answer.put(FOUND, 1);
        answer.put(fee, 3);
        answer.put(rawSpacing, 3);
        answer.put(price, 20);
        answer.put(rawTick, 3);
        answer.put(liquidity, 16);
        return (true, tick, spacing);
    }

    /// Reads outwards until the side has its words or its ticks, or the range of ticks, room or gas end.
    function _answerSide(
        PackedAnswer memory answer,
        address pool,
        int256 word,
        int256 spacing,
        Side memory side
    ) private view {
        uint256 found;
        for (uint256 count; count < side.words && found < side.ticks; count++) {
            word += side.step;
            int256 nearest = (side.step > 0 ? word * 256 : word * 256 + 255) * spacing;
            if (nearest > MAX_TICK || nearest < -MAX_TICK) break;
            (bool ok, uint256 ticks) = _answerWord(answer, pool, word, spacing);
            if (!ok) break;
            found += ticks;
        }
        answer.put(END, 1);
    }

    /// Answers a word whole, or nothing and false.
    function _answerWord(PackedAnswer memory answer, address pool, int256 word, int256 spacing)
        private
        view
        returns (bool, uint256 ticks)
    {
        // The word itself and the ends of both sides.
        if (!answer.hasRoom(35, 2 * GETTER_GAS)) return (false, 0);
        (bool ok, uint256 bitmap,) = _get(pool, ConcentratedPool.tickBitmap.selector, uint256(word), 32);
        if (!ok) return (false, 0);
        if (bitmap == 0) {
            answer.put(EMPTY, 1);
            return (true, 0);
        }
        for (uint256 rest = bitmap; rest != 0; rest &= rest - 1) ticks++;
        if (!answer.hasRoom(35 + ticks * TICK_ROOM, 2 * GETTER_GAS + ticks * TICK_GAS)) return (false, 0);

        uint256 before = answer.cursor;
        answer.put(FILLED, 1);
        answer.put(bitmap, 32);
        for (uint256 bit; bit < 256; bit++) {
            if ((bitmap >> bit) & 1 == 0) continue;
            int256 tick = (word * 256 + int256(bit)) * spacing;
            uint256 net;
            (ok,, net) = _get(pool, ConcentratedPool.ticks.selector, uint256(tick), 64);
            if (!ok || !answer.hasRoom(TICK_ROOM + 2, 2 * GETTER_GAS)) {
                answer.cursor = before;
                return (false, 0);
            }
            _putSigned(answer, int256(net));
        }
        return (true, ticks);
    }

    function _putSigned(PackedAnswer memory answer, int256 value) private pure {
        uint256 magnitude = uint256(value < 0 ? -value : value);
        uint256 length;
        while (length < 16 && magnitude >> (8 * length) != 0) length++;
        answer.put(value < 0 ? 128 + length : length, 1);
        answer.put(magnitude, length);
    }

    /// The first two words of a getter's answer. Copies no more than that, however much a pool returns.
    function _get(address pool, bytes4 selector, uint256 argument, uint256 size)
        private
        view
        returns (bool ok, uint256 first, uint256 second)
    {
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, argument)
            ok := staticcall(GETTER_GAS, pool, 0, 36, 0, 64)
            ok := and(ok, iszero(lt(returndatasize(), size)))
            first := mload(0)
            second := mload(32)
        }
    }

    function _read(bytes memory source, uint256 offset, uint256 size) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(sub(256, mul(8, size)), mload(add(add(source, 32), offset)))
        }
    }

    function _floorDivide(int256 value, int256 by) private pure returns (int256 quotient) {
        quotient = value / by;
        if (value < 0 && value % by != 0) quotient--;
    }
}
