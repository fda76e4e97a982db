// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// What is remembered while a program runs: who pays, and which pool may ask for what.
abstract contract Slots {
    /// The caller of the program. While it is not zero no other program begins.
    uint256 internal constant payerSlot = 0;
    /// The pool that is about to call back, whether the payer pays it, and above both the lower bits of the amount.
    uint256 internal constant poolSlot = 1;
    /// The token it may ask for, and above it the other bits of the amount: a third slot would cost as much again.
    uint256 private constant tokenSlot = 2;

    /// Beside a pool: the tokens come from the payer, else from this contract.
    uint256 internal constant fromPayer = 1 << 160;
    uint256 private constant lowerAmountBits = 95;

    function load(uint256 slot) internal view virtual returns (uint256 value);
    function store(uint256 slot, uint256 value) internal virtual;

    /// Lets one pool call back once, for one amount of one token.
    function expectCallback(address pool, uint256 fromWhom, address token, uint256 amount) internal {
        // A pool that claims to have given more than exists would turn the sign of the next amount.
        require(amount <= type(uint128).max, "amount");
        store(tokenSlot, uint160(token) | ((amount >> lowerAmountBits) << 160));
        store(poolSlot, uint160(pool) | fromWhom | (amount << (256 - lowerAmountBits)));
    }

    /// Called first in every callback. What a pool sends along is never asked who pays, what and how much.
    /// Both slots get back what they held, which a chain without transient storage pays for.
    function acceptCallback() internal returns (uint256 fromWhom, address token, uint256 amount) {
        uint256 expected = load(poolSlot);
        uint256 asked = load(tokenSlot);
        require(uint160(expected) == uint160(msg.sender), "not the pool");
        store(poolSlot, 0);
        store(tokenSlot, 0);
        amount = (expected >> (256 - lowerAmountBits)) | ((asked >> 160) << lowerAmountBits);
        return (expected & fromPayer, address(uint160(asked)), amount);
    }

    function requireCalledBack() internal view {
        require(load(poolSlot) == 0, "pool took nothing");
    }
}
