// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {NextBlock} from "./NextBlock.sol";

/// Tries a transaction without sending it. Its code is laid over the sender's account for one eth_call,
/// so that the router sees the sender call it and the proceeds arrive where they would.
contract SwapTrial is NextBlock {
    struct Trial {
        address target;
        uint256 value;
        bytes data;
        /// The token whose arrival is measured; the zero address for the native one.
        address tokenOut;
        /// At whom its arrival is measured.
        address recipient;
        /// Pools that the transaction swaps in, for what they write once a block.
        address[] constantProductPools;
        address[] concentratedPools;
        address[] algebraPools;
        /// Attempts get no more than this, so that one which would burn whatever it gets ends.
        uint256 mostGas;
    }

    // EIP-2929 and appendix G of the yellow paper.
    uint256 private constant coldAccess = 2_600;
    uint256 private constant valueTransfer = 9_000;
    uint256 private constant stipend = 2_300;

    /// Carries the outcome of an attempt out of the frame that undoes it.
    error Attempted(bool succeeded, uint256 received, uint256 gasUsed, bytes returned);
    error Balance(uint256 amount);

    receive() external payable {}

    /// Whatever the sender is asked to sign counts as signed (EIP-1271): the account has code while it is tried.
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }

    /// What arrives, and a limit of gas with which the call still succeeds and which is hardly above the
    /// least. Every attempt is undone, warm addresses and slots included, so that each pays what the
    /// transaction would.
    function run(Trial calldata trial)
        external
        returns (bool succeeded, uint256 received, uint256 gasNeeded, uint256 gasOfNextBlock, bytes memory returned)
    {
        uint256 before = balanceUntouched(trial.tokenOut, trial.recipient);
        uint256 gasUsed;
        (succeeded, received, gasUsed, returned) = attempt(trial, before, trial.mostGas);
        if (!succeeded) return (false, 0, 0, 0, returned);
        // More is needed than is used: each level of calls holds 1/64 back from the next. Since only the
        // last of many calls finds little left, that is mostly under 1/64 of the whole; each further attempt
        // allows for twice as much, so that few are made and half of the allowance at most is wasted.
        for (uint256 part = 128; part > 1; part /= 2) {
            gasNeeded = gasUsed + gasUsed / part;
            (bool isEnough, uint256 got,,) = attempt(trial, before, gasNeeded);
            if (isEnough && got == received) break;
        }
        // A call with value is given a stipend on top, which a transaction is not.
        if (trial.value > 0) gasNeeded += stipend;
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
        bool succeeded;
        uint256 gasUsed;
        // Nothing may stand between the two readings of the gas but the call itself.
        assembly ("memory-safe") {
            let gasBefore := gas()
            succeeded := call(gasLimit, target, value, add(data, 32), mload(data), 0, 0)
            gasUsed := sub(gasBefore, gas())
        }
        // What the caller pays for calling is not part of what is called.
        uint256 callCost = coldAccess + (value > 0 ? valueTransfer - stipend : 0);
        gasUsed = gasUsed > callCost ? gasUsed - callCost : 0;
        if (!succeeded) revert Attempted(false, 0, gasUsed, returnedData());
        revert Attempted(true, balance(trial.tokenOut, trial.recipient) - before, gasUsed, "");
    }

    /// The beginning of it: a token may return a megabyte, which nobody could pay for passing on.
    function returnedData() private pure returns (bytes memory returned) {
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, 1024) { size := 1024 }
            returned := mload(0x40)
            mstore(returned, size)
            returndatacopy(add(returned, 32), 0, size)
            mstore(0x40, and(add(add(returned, size), 63), not(31)))
        }
    }

    /// The balance, without leaving the token's address and slot warm behind.
    function balanceUntouched(address token, address holder) private view returns (uint256) {
        try this.revealBalance(token, holder) {} catch (bytes memory outcome) {
            return abi.decode(tail(outcome), (uint256));
        }
        return 0;
    }

    function revealBalance(address token, address holder) external view {
        revert Balance(balance(token, holder));
    }

    /// What follows the selector of an error.
    function tail(bytes memory outcome) private pure returns (bytes memory rest) {
        assembly {
            rest := add(outcome, 4)
            mstore(rest, sub(mload(outcome), 4))
        }
    }

    function balance(address token, address holder) private view returns (uint256 amount) {
        if (token == address(0)) return holder.balance;
        bytes memory data = abi.encodeWithSignature("balanceOf(address)", holder);
        // Whatever the token returns, one word is read of it.
        assembly ("memory-safe") {
            if staticcall(gas(), token, add(data, 32), mload(data), 0, 32) {
                if gt(returndatasize(), 31) { amount := mload(0) }
            }
        }
    }

    function extraGas(Trial calldata trial) private view returns (uint256 gas) {
        for (uint256 i; i < trial.constantProductPools.length; i++) {
            gas += gasOfCumulativePrices(trial.constantProductPools[i]);
        }
        for (uint256 i; i < trial.concentratedPools.length; i++) {
            gas += gasOfObservation(trial.concentratedPools[i]);
        }
        for (uint256 i; i < trial.algebraPools.length; i++) {
            gas += gasOfTimepoint(trial.algebraPools[i]);
        }
    }
}
