// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Tries a transaction without sending it. Its code is laid over the sender's account for one eth_call,
/// so that the router sees the sender call it and the proceeds arrive where they would.
contract SwapTrial {
    struct Trial {
        address target;
        uint256 value;
        bytes data;
        /// The token whose arrival is measured; the zero address for the native one.
        address tokenOut;
        /// Pools that the transaction swaps in, for what they write once a block.
        address[] constantProductPools;
        address[] concentratedPools;
        uint256 searchSteps;
    }

    /// Carries the outcome of an attempt out of the frame that undoes it.
    error Attempted(bool succeeded, uint256 received, uint256 gasUsed, bytes returned);
    error Balance(uint256 amount);

    receive() external payable {}

    /// What arrives, and the least gas with which the call still succeeds, found by bisection. Every
    /// attempt is undone, warm addresses and slots included, so that each pays what the transaction would.
    function run(Trial calldata trial)
        external
        returns (bool succeeded, uint256 received, uint256 gasNeeded, uint256 gasOfNextBlock, bytes memory returned)
    {
        uint256 before = balanceUntouched(trial.tokenOut);
        uint256 gasUsed;
        (succeeded, received, gasUsed, returned) = attempt(trial, before, gasleft());
        if (!succeeded) return (false, 0, 0, 0, returned);
        returned = "";
        // The use counts what only this frame pays, such as the first touch of the target, and not what
        // callers must hold back for 1/64 a level: the answer lies between half of it and a third more.
        uint256 low = gasUsed / 2;
        gasNeeded = gasUsed + gasUsed / 3;
        for (uint256 step; step < trial.searchSteps; step++) {
            uint256 middle = (low + gasNeeded) / 2;
            (bool isEnough, uint256 got,,) = attempt(trial, before, middle);
            if (isEnough && got == received) gasNeeded = middle;
            else low = middle;
        }
        // A call with value is given a stipend on top, which a transaction is not.
        if (trial.value > 0) gasNeeded += 2_300;
        gasOfNextBlock = extraGas(trial);
    }

    function attempt(Trial calldata trial, uint256 before, uint256 gasLimit)
        private
        returns (bool succeeded, uint256 received, uint256 gasUsed, bytes memory returned)
    {
        try this.undone(trial, before, gasLimit) {} catch (bytes memory outcome) {
            // Anything else than Attempted, such as running out of gas, is an attempt that failed.
            if (outcome.length < 4 || bytes4(outcome) != Attempted.selector) return (false, 0, 0, outcome);
            return abi.decode(tail(outcome), (bool, uint256, uint256, bytes));
        }
    }

    function undone(Trial calldata trial, uint256 before, uint256 gasLimit) external {
        bytes memory data = trial.data;
        address target = trial.target;
        uint256 value = trial.value;
        uint256 gasBefore = gasleft();
        (bool succeeded, bytes memory returned) = target.call{gas: gasLimit, value: value}(data);
        uint256 gasUsed = gasBefore - gasleft();
        uint256 received;
        if (succeeded) received = balance(trial.tokenOut) - before;
        revert Attempted(succeeded, received, gasUsed, returned);
    }

    /// The balance, without leaving the token's address and slot warm behind.
    function balanceUntouched(address token) private view returns (uint256) {
        try this.revealBalance(token) {} catch (bytes memory outcome) {
            return abi.decode(tail(outcome), (uint256));
        }
        return 0;
    }

    function revealBalance(address token) external view {
        revert Balance(balance(token));
    }

    /// What follows the selector of an error.
    function tail(bytes memory outcome) private pure returns (bytes memory rest) {
        assembly {
            rest := add(outcome, 4)
            mstore(rest, sub(mload(outcome), 4))
        }
    }

    function balance(address token) private view returns (uint256 amount) {
        if (token == address(0)) return address(this).balance;
        (bool succeeded, bytes memory returned) =
            token.staticcall(abi.encodeWithSignature("balanceOf(address)", address(this)));
        if (succeeded && returned.length >= 32) amount = abi.decode(returned, (uint256));
    }

    /// A pool that was touched in this very block skips what the first swap of the next block must
    /// write: two cumulative prices in a constant-product pair, an observation in a concentrated pool.
    function extraGas(Trial calldata trial) private view returns (uint256 gas) {
        for (uint256 i; i < trial.constantProductPools.length; i++) {
            address pool = trial.constantProductPools[i];
            (bool isKnown, uint256 lastTime) = word(pool, abi.encodeWithSignature("getReserves()"), 2);
            if (!isKnown || lastTime != uint32(block.timestamp)) continue;
            (, uint256 cumulative) = word(pool, abi.encodeWithSignature("price0CumulativeLast()"), 0);
            gas += cumulative == 0 ? 44_200 : 10_000;
        }
        for (uint256 i; i < trial.concentratedPools.length; i++) {
            address pool = trial.concentratedPools[i];
            bytes memory slot0 = abi.encodeWithSignature("slot0()");
            (bool isKnown, uint256 index) = word(pool, slot0, 2);
            if (!isKnown) continue;
            (, uint256 cardinality) = word(pool, slot0, 3);
            (, uint256 lastTime) = word(pool, abi.encodeWithSignature("observations(uint256)", index), 0);
            if (lastTime == uint32(block.timestamp)) gas += cardinality > 1 ? 5_000 : 2_900;
        }
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
