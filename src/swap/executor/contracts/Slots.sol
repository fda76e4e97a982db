// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// What is remembered while a program runs: who pays, and which pool may ask for what.
abstract contract Slots {
    /// Zero outside of programs, and while it is not no other program begins. In a program it is `running`, or the pool
    /// that is about to call back, whether the payer pays it, and above both the lower bits of the amount.
    uint256 internal constant poolSlot = 0;
    /// The token it may ask for, and above it the other bits of the amount: a third slot would cost as much again.
    uint256 private constant tokenSlot = 1;
    /// The caller of the program, where a pool may ask for the caller's tokens.
    uint256 private constant payerSlot = 2;

    /// No pool is expected to call back. As an address this is a precompiled contract, which calls nobody.
    uint256 internal constant running = 1;
    /// Beside a pool: the tokens come from the payer, else from this contract.
    uint256 private constant fromPayer = 1 << 160;
    uint256 private constant lowerAmountBits = 95;

    function load(uint256 slot) internal view virtual returns (uint256 value);
    function store(uint256 slot, uint256 value) internal virtual;

    /// Lets one pool call back once, for one amount of one token, of the payer or, where that is zero, of this contract.
    function expectCallback(address pool, address payer, address token, uint256 amount) internal {
        // A pool that claims to have given more than exists would turn the sign of the next amount.
        require(amount <= type(uint128).max, "amount");
        store(tokenSlot, uint160(token) | ((amount >> lowerAmountBits) << 160));
        uint256 expected = uint160(pool) | (amount << (256 - lowerAmountBits));
        if (payer != address(0)) {
            store(payerSlot, uint160(payer));
            expected |= fromPayer;
        }
        store(poolSlot, expected);
    }

    /// Called first in every callback. What a pool sends along is never asked who pays, what and how much.
    /// The slots get back what they held, which a chain without transient storage pays for.
    function acceptCallback() internal returns (address payer, address token, uint256 amount) {
        uint256 expected = load(poolSlot);
        uint256 asked = load(tokenSlot);
        require(uint160(expected) == uint160(msg.sender), "not the pool");
        store(poolSlot, running);
        store(tokenSlot, 0);
        if (expected & fromPayer != 0) {
            payer = address(uint160(load(payerSlot)));
            store(payerSlot, 0);
        }
        token = address(uint160(asked));
        amount = (expected >> (256 - lowerAmountBits)) | ((asked >> 160) << lowerAmountBits);
    }

    function requireCalledBack() internal view {
        require(load(poolSlot) == running, "pool took nothing");
    }
}
