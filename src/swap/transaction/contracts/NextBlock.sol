// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// What only the first swap of a block pays for in some pools: two cumulative prices in a constant-product pair, an observation in a concentrated
/// pool, a timepoint in one of Algebra. A pool that was touched in the block of a trial skips it there, while the transaction, which comes in a
/// later block, pays for it.
abstract contract NextBlock {
    function gasOfCumulativePrices(address pool) internal view returns (uint256) {
        (bool isKnown, uint256 lastTime) = word(pool, abi.encodeWithSignature("getReserves()"), 2);
        if (!isKnown || lastTime != uint32(block.timestamp)) return 0;
        uint256 cumulative;
        (isKnown, cumulative) = word(pool, abi.encodeWithSignature("price0CumulativeLast()"), 0);
        // A pair of Solidly sums up reserves; one that sums up nothing writes nothing.
        if (!isKnown) (isKnown, cumulative) = word(pool, abi.encodeWithSignature("reserve0CumulativeLast()"), 0);
        if (!isKnown) return 0;
        return cumulative == 0 ? 44_200 : 10_000;
    }

    function gasOfObservation(address pool) internal view returns (uint256) {
        bytes memory slot0 = abi.encodeWithSignature("slot0()");
        (bool isKnown, uint256 index) = word(pool, slot0, 2);
        if (!isKnown) return 0;
        (, uint256 cardinality) = word(pool, slot0, 3);
        (, uint256 lastTime) = word(pool, abi.encodeWithSignature("observations(uint256)", index), 0);
        if (lastTime != uint32(block.timestamp)) return 0;
        return cardinality > 1 ? 5_000 : 2_900;
    }

    // Measured on the contracts of Algebra's first generation: a timepoint in two new slots with the fee that follows from it, what two slots
    // cost less that were written before, what the timepoint of a day ago costs beside looking for it, and what each timepoint costs
    // that is looked at for it, more if nobody did before.
    uint256 private constant timepointGas = 70_000;
    uint256 private constant lessForUsedSlots = 34_200;
    uint256 private constant dayAgoGas = 11_500;
    uint256 private constant lookGas = 400;
    uint256 private constant firstLookGas = 2_000;
    uint256 private constant timepointsKept = 2 ** 16;

    function gasOfTimepoint(address pool) internal view returns (uint256 gas) {
        bytes memory globalState = abi.encodeWithSignature("globalState()");
        // It returns one word more where there is a fee for each direction.
        (bool hasTwoFees,) = word(pool, globalState, 7);
        (, uint256 newest) = word(pool, globalState, hasTwoFees ? 4 : 3);
        (bool isKnown, uint256 lastTime) = timepoint(pool, newest, 1);
        // The plugin of a later pool keeps the timepoints to itself.
        if (!isKnown) return timepointGas + 80_000;
        if (lastTime != uint32(block.timestamp)) return 0;
        gas = timepointGas;
        uint256 oldest;
        (, uint256 isUsed) = timepoint(pool, newest + 1, 0);
        if (isUsed == 1) {
            gas -= lessForUsedSlots;
            oldest = newest + 1;
            newest += timepointsKept;
        }
        (, uint256 oldestTime) = timepoint(pool, oldest, 1);
        if (oldestTime > block.timestamp - 1 days) return gas;
        // The later the next block, the later is the day ago: it may be past one or two timepoints by then.
        uint256 most;
        uint256 dayAgo = block.timestamp - 1 days;
        for (uint256 i; i < 3; i++) {
            Looks memory looks = Looks(new uint256[](8 + 4 * 17), 0, 0);
            // Looked at in any case.
            for (uint256 j; j < 3; j++) lookAt(newest + 1 - j, looks);
            lookAt(oldest, looks);
            looks.gas = 0;
            // For the average of the new timepoint, and then with it for the fee.
            uint256 found = search(pool, oldest, newest, dayAgo, looks);
            search(pool, oldest, newest + 1, dayAgo, looks);
            if (looks.gas > most) most = looks.gas;
            if (found + 1 == newest) break;
            (, dayAgo) = timepoint(pool, found + 1, 1);
            dayAgo++;
        }
        gas += dayAgoGas + most;
    }

    struct Looks {
        uint256[] at;
        uint256 count;
        uint256 gas;
    }

    /// Looks at the timepoints that Algebra's binary search looks at, and gives the last that is not after the target.
    function search(address pool, uint256 left, uint256 right, uint256 target, Looks memory looks)
        private
        view
        returns (uint256 middle)
    {
        uint256 newest = right;
        while (left <= right) {
            middle = (left + right) / 2;
            lookAt(middle, looks);
            if (middle == newest || timeOf(pool, middle) > target) {
                right = middle - 1;
                continue;
            }
            lookAt(middle + 1, looks);
            if (middle + 1 == newest || timeOf(pool, middle + 1) >= target) return middle;
            left = middle + 1;
        }
    }

    function timeOf(address pool, uint256 index) private view returns (uint256 time) {
        (, time) = timepoint(pool, index, 1);
    }

    function timepoint(address pool, uint256 index, uint256 field) private view returns (bool isKnown, uint256 value) {
        return word(pool, abi.encodeWithSignature("timepoints(uint256)", index % timepointsKept), field);
    }

    function lookAt(uint256 index, Looks memory looks) private pure {
        looks.gas += lookGas;
        for (uint256 i; i < looks.count; i++) {
            if (looks.at[i] == index) return;
        }
        looks.at[looks.count++] = index;
        looks.gas += firstLookGas;
    }

    function word(address target, bytes memory data, uint256 index) private view returns (bool isKnown, uint256 value) {
        (bool succeeded, bytes memory returned) = target.staticcall(data);
        if (!succeeded || returned.length < 32 * (index + 1)) return (false, 0);
        assembly {
            value := mload(add(returned, mul(32, add(index, 1))))
        }
        isKnown = true;
    }
}
