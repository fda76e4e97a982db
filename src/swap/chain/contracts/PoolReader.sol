// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {AlgebraPool, AlgebraTrial} from "./AlgebraTrial.sol";
import {PackedAnswer, createAnswer} from "./PackedAnswer.sol";

interface ConstantProductPool {
    function getReserves() external view;
}

interface PoolManager {
    function extsload(bytes32) external view;
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
/// A query is packed: form (1 byte) and the pool's address (20), then by form
/// - PAIR: nothing;
/// - TICKS: a reach, which is how many bitmap words to read below and above that of the current tick at most
///   (2 each), and the number of ticks after which a side is long enough (2);
/// - CALLS: how many calls (1), and for each its target (20), how many words it returns at least (1), how
///   long its data is (1), and the data;
/// - MANAGED_TICKS, a pool in a Uniswap V4 manager: the pool's id (32), its tick spacing (3), a reach;
/// - ALGEBRA, ALGEBRA_INTEGRAL and ALGEBRA_DIRECTIONAL: a reach.
/// Answers come in the same order, and end early when gas or room do: one byte for what was found, then
/// - PAIR: both reserves (14 each);
/// - TICKS: fee (3), tick spacing (3), square root of the price (20), tick (3), liquidity (16);
///   then the words: that of the tick, those above upwards, END, those below downwards, END.
///   A word is EMPTY, or FILLED with its bitmap (32) and the net liquidity of each tick upwards: the
///   length of its magnitude, plus 128 if it is negative (1), and the magnitude;
/// - CALLS: the words (32 each) of all calls in turn;
/// - MANAGED_TICKS: fee (3), fee of the protocol (3), square root of the price, tick, liquidity, words;
/// - ALGEBRA: as TICKS, but with a fee for each token that comes in, token 0 first, which is all of it where a
///   trial came to nothing; and between liquidity and words what each trial took (16) and gave (16), or zeros.
contract PoolReader {
    uint256 private constant TICKS = 1;
    uint256 private constant CALLS = 2;
    uint256 private constant MANAGED_TICKS = 3;
    uint256 private constant ALGEBRA = 4;
    /// Algebra's second generation, whose table of ticks knows no spacing.
    uint256 private constant ALGEBRA_INTEGRAL = 5;
    /// The last of its first generation, with a fee for each direction; its table knows no spacing either.
    uint256 private constant ALGEBRA_DIRECTIONAL = 6;

    uint256 private constant NOTHING_THERE = 0;
    uint256 private constant FOUND = 1;
    uint256 private constant REFUSED = 2;

    uint256 private constant EMPTY = 0;
    uint256 private constant FILLED = 1;
    uint256 private constant END = 2;

    /// Ten times what any of the getters takes, for pools behind proxies.
    uint256 private constant GETTER_GAS = 100_000;
    /// A pool of Slipstream asks its factory, and the factory a module that it gives 200,000: with less gas it
    /// would answer another fee than a swap pays.
    uint256 private constant FEE_GAS = 400_000;
    /// `ticks` reads four cold slots.
    uint256 private constant TICK_GAS = 15_000;
    uint256 private constant TICK_ROOM = 17;
    uint256 private constant HEAD_ROOM = 64;
    int256 private constant MAX_TICK = 887_272;
    /// For each of the two trials of a pool of Algebra.
    uint256 private constant TRIAL_GAS = 1_000_000;
    /// A fee, in hundredths of a basis point.
    uint256 private constant ALL = 1_000_000;
    /// A call that a query names may take more than a getter.
    uint256 private constant CALL_GAS = 500_000;

    // Where a Uniswap V4 manager keeps its pools, and what lies where in one (`StateLibrary`).
    uint256 private constant POOLS_SLOT = 6;
    uint256 private constant LIQUIDITY_OFFSET = 3;
    uint256 private constant TICKS_OFFSET = 4;
    uint256 private constant BITMAP_OFFSET = 5;

    /// Where ticks are read: of a contract of its own, or, where `slot` is not zero, in the manager's storage.
    struct Source {
        address pool;
        uint256 slot;
        int256 spacing;
        bytes4 bitmap;
    }

    struct Trial {
        bool ok;
        uint256 fee;
        uint256 taken;
        uint256 given;
    }

    struct Side {
        int256 step;
        uint256 words;
        uint256 ticks;
    }

    constructor(bytes memory queries) {
        PackedAnswer memory answer = createAnswer();
        uint256 offset;
        while (offset < queries.length && answer.hasRoom(HEAD_ROOM, 5 * GETTER_GAS)) {
            uint256 form = _read(queries, offset, 1);
            Source memory source = Source(
                address(uint160(_read(queries, offset + 1, 20))), 0, 0, ConcentratedPool.tickBitmap.selector
            );
            offset += 21;
            uint256 before = answer.cursor;
            bool isWhole = true;
            if (form == TICKS) {
                isWhole = _answerConcentrated(answer, source, _read(queries, offset, 6));
                offset += 6;
            } else if (form >= ALGEBRA && form <= ALGEBRA_DIRECTIONAL) {
                source.bitmap = AlgebraPool.tickTable.selector;
                isWhole = _answerAlgebra(answer, source, form, _read(queries, offset, 6));
                offset += 6;
            } else if (form == CALLS) {
                (isWhole, offset) = _answerCalls(answer, source.pool, queries, offset);
            } else if (form == MANAGED_TICKS) {
                source.slot = uint256(keccak256(abi.encode(_read(queries, offset, 32), POOLS_SLOT)));
                source.spacing = int256(_read(queries, offset + 32, 3));
                isWhole = _answerManaged(answer, source, _read(queries, offset + 35, 6));
                offset += 41;
            } else {
                _answerConstantProduct(answer, source.pool);
            }
            if (!isWhole) {
                answer.cursor = before;
                break;
            }
        }
        answer.finish();
    }

    /// False when there is no room or gas for the answers. All calls are made, or the pool is refused.
    function _answerCalls(PackedAnswer memory answer, address pool, bytes memory queries, uint256 offset)
        private
        view
        returns (bool, uint256)
    {
        uint256 before = answer.cursor;
        bool isAnswered = pool.code.length != 0;
        answer.put(isAnswered ? FOUND : NOTHING_THERE, 1);
        for (uint256 left = _read(queries, offset++, 1); left != 0; left--) {
            address target = address(uint160(_read(queries, offset, 20)));
            uint256 size = 32 * _read(queries, offset + 20, 1);
            uint256 length = _read(queries, offset + 21, 1);
            offset += 22;
            if (!answer.hasRoom(size, CALL_GAS)) return (false, offset);
            if (isAnswered) {
                uint256 cursor = answer.cursor;
                assembly ("memory-safe") {
                    isAnswered := staticcall(CALL_GAS, target, add(add(queries, 32), offset), length, cursor, size)
                    isAnswered := and(isAnswered, iszero(lt(returndatasize(), size)))
                }
                answer.cursor = cursor + size;
                if (!isAnswered) {
                    answer.cursor = before;
                    answer.put(REFUSED, 1);
                }
            }
            offset += length;
        }
        return (true, offset);
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
    function _answerConcentrated(PackedAnswer memory answer, Source memory source, uint256 reach)
        private
        view
        returns (bool)
    {
        if (source.pool.code.length == 0) {
            answer.put(NOTHING_THERE, 1);
            return true;
        }
        (bool ok, int256 tick, int256 spacing) = _answerPrice(answer, source.pool);
        if (!ok) {
            answer.put(REFUSED, 1);
            return true;
        }
        source.spacing = spacing;
        return _answerTicks(answer, source, tick, reach);
    }

    /// The same of a pool of Algebra, at the fee of its next swap.
    function _answerAlgebra(PackedAnswer memory answer, Source memory source, uint256 form, uint256 reach)
        private
        returns (bool)
    {
        if (source.pool.code.length == 0) {
            answer.put(NOTHING_THERE, 1);
            return true;
        }
        if (!answer.hasRoom(2 * HEAD_ROOM, 5 * GETTER_GAS + 2 * TRIAL_GAS)) return false;
        (bool ok, int256 tick, int256 spacing) = _answerAlgebraPrice(answer, source.pool, form);
        if (!ok) {
            answer.put(REFUSED, 1);
            return true;
        }
        source.spacing = spacing;
        return _answerTicks(answer, source, tick, reach);
    }

    function _answerAlgebraPrice(PackedAnswer memory answer, address pool, uint256 form)
        private
        returns (bool, int256 tick, int256 spacing)
    {
        (bool hasPrice, uint256 price, uint256 rawTick) = _get(pool, AlgebraPool.globalState.selector, 0, 96);
        (bool hasLiquidity, uint256 liquidity,) = _get(pool, ConcentratedPool.liquidity.selector, 0, 32);
        (bool hasSpacing, uint256 rawSpacing,) = _get(pool, ConcentratedPool.tickSpacing.selector, 0, 32);
        tick = int256(rawTick);
        spacing = form == ALGEBRA ? int256(rawSpacing) : int256(1);
        if (!hasPrice || !hasLiquidity || !hasSpacing || price == 0) return (false, 0, 0);
        if (spacing < 1 || spacing > MAX_TICK || tick > MAX_TICK || tick < -MAX_TICK) return (false, 0, 0);
        Trial[2] memory trials = _try(pool, price, liquidity, form == ALGEBRA_DIRECTIONAL);
        if (!trials[0].ok && !trials[1].ok) return (false, 0, 0);
        answer.put(FOUND, 1);
        for (uint256 i; i < 2; i++) answer.put(trials[i].ok ? trials[i].fee : ALL, 3);
        answer.put(uint256(spacing), 3);
        answer.put(price, 20);
        answer.put(rawTick, 3);
        answer.put(liquidity, 16);
        for (uint256 i; i < 2; i++) {
            answer.put(trials[i].taken, 16);
            answer.put(trials[i].given, 16);
        }
        return (true, tick, spacing);
    }

    /// The fee is that of the moment: the pool makes it anew in the first swap of a block. It shows it when it
    /// asks for the payment of a swap.
    function _try(address pool, uint256 price, uint256 liquidity, bool isDirectional)
        private
        returns (Trial[2] memory trials)
    {
        AlgebraTrial trial = new AlgebraTrial();
        // Moves the price by two millionths. Each hundredth of a basis point shows where that is a million units.
        uint256 part = liquidity >> 20;
        for (uint256 i; i < 2; i++) {
            uint256 amount = (i == 0 ? (part << 96) / price : (part * (price >> 48)) >> 48) + 1;
            if (amount > type(uint120).max) amount = type(uint120).max;
            (trials[i].ok, trials[i].fee, trials[i].taken, trials[i].given) =
                trial.swap{gas: TRIAL_GAS}(AlgebraPool(pool), i == 0, amount, isDirectional);
        }
    }

    /// The same of a pool in a manager. One without a price is not there.
    function _answerManaged(PackedAnswer memory answer, Source memory source, uint256 reach)
        private
        view
        returns (bool)
    {
        if (source.pool.code.length == 0) {
            answer.put(NOTHING_THERE, 1);
            return true;
        }
        (bool ok, uint256 slot0) = _load(source.pool, source.slot);
        (bool hasLiquidity, uint256 liquidity) = _load(source.pool, source.slot + LIQUIDITY_OFFSET);
        if (!ok || !hasLiquidity || source.spacing < 1) {
            answer.put(REFUSED, 1);
            return true;
        }
        if (uint160(slot0) == 0) {
            answer.put(NOTHING_THERE, 1);
            return true;
        }
        answer.put(FOUND, 1);
        answer.put(slot0 >> 208, 3);
        answer.put(slot0 >> 184, 3);
        answer.put(slot0, 20);
        answer.put(slot0 >> 160, 3);
        answer.put(liquidity, 16);
        return _answerTicks(answer, source, int24(uint24(slot0 >> 160)), reach);
    }

    function _answerTicks(PackedAnswer memory answer, Source memory source, int256 tick, uint256 reach)
        private
        view
        returns (bool)
    {
        int256 word = _floorDivide(tick, source.spacing) >> 8;
        (bool ok, uint256 ticks) = _answerWord(answer, source, word);
        if (!ok) return false;
        uint256 missing = reach & 0xffff > ticks / 2 ? (reach & 0xffff) - ticks / 2 : 0;
        _answerSide(answer, source, word, Side(1, (reach >> 16) & 0xffff, missing));
        _answerSide(answer, source, word, Side(-1, reach >> 32, missing));
        return true;
    }

    function _answerPrice(PackedAnswer memory answer, address pool)
        private
        view
        returns (bool, int256 tick, int256 spacing)
    {
        (bool hasPrice, uint256 price, uint256 rawTick) = _get(pool, ConcentratedPool.slot0.selector, 0, 64);
        (bool hasLiquidity, uint256 liquidity,) = _get(pool, ConcentratedPool.liquidity.selector, 0, 32);
        (bool hasFee, uint256 fee,) = _getWith(FEE_GAS, pool, ConcentratedPool.fee.selector, 0, 32);
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
    function _answerSide(PackedAnswer memory answer, Source memory source, int256 word, Side memory side)
        private
        view
    {
        uint256 found;
        for (uint256 count; count < side.words && found < side.ticks; count++) {
            word += side.step;
            int256 nearest = (side.step > 0 ? word * 256 : word * 256 + 255) * source.spacing;
            if (nearest > MAX_TICK || nearest < -MAX_TICK) break;
            (bool ok, uint256 ticks) = _answerWord(answer, source, word);
            if (!ok) break;
            found += ticks;
        }
        answer.put(END, 1);
    }

    /// Answers a word whole, or nothing and false.
    function _answerWord(PackedAnswer memory answer, Source memory source, int256 word)
        private
        view
        returns (bool, uint256 ticks)
    {
        // The word itself and the ends of both sides.
        if (!answer.hasRoom(35, 2 * GETTER_GAS)) return (false, 0);
        (bool ok, uint256 bitmap) = _bitmapOf(source, word);
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
            int256 net;
            (ok, net) = _netOf(source, (word * 256 + int256(bit)) * source.spacing);
            if (!ok || !answer.hasRoom(TICK_ROOM + 2, 2 * GETTER_GAS)) {
                answer.cursor = before;
                return (false, 0);
            }
            _putSigned(answer, net);
        }
        return (true, ticks);
    }

    function _bitmapOf(Source memory source, int256 word) private view returns (bool ok, uint256 bitmap) {
        if (source.slot != 0) return _load(source.pool, _slotOf(source.slot + BITMAP_OFFSET, word));
        (ok, bitmap,) = _get(source.pool, source.bitmap, uint256(word), 32);
    }

    /// The net liquidity of a tick, which a manager keeps in the upper half of the tick's first word.
    function _netOf(Source memory source, int256 tick) private view returns (bool ok, int256 net) {
        uint256 value;
        if (source.slot != 0) {
            (ok, value) = _load(source.pool, _slotOf(source.slot + TICKS_OFFSET, tick));
            return (ok, int256(value) >> 128);
        }
        (ok,, value) = _get(source.pool, ConcentratedPool.ticks.selector, uint256(tick), 64);
        net = int256(value);
    }

    function _load(address manager, uint256 slot) private view returns (bool ok, uint256 value) {
        (ok, value,) = _get(manager, PoolManager.extsload.selector, slot, 32);
    }

    function _slotOf(uint256 mapping_, int256 key) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(key, mapping_)));
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
        returns (bool, uint256, uint256)
    {
        return _getWith(GETTER_GAS, pool, selector, argument, size);
    }

    function _getWith(uint256 gasLimit, address pool, bytes4 selector, uint256 argument, uint256 size)
        private
        view
        returns (bool ok, uint256 first, uint256 second)
    {
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, argument)
            ok := staticcall(gasLimit, pool, 0, 36, 0, 64)
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
