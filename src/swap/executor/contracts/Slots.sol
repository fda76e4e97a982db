// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// What is remembered while a program runs: who pays, and which pool may ask for what.
abstract contract Slots {
    /// The caller of the program. While it is not zero no other program begins.
    uint256 internal constant payerSlot = 0;
    /// The pool that is about to call back, and whether the payer pays it.
    uint256 internal constant poolSlot = 1;
    uint256 internal constant tokenSlot = 2;
    uint256 internal constant amountSlot = 3;

    /// Beside a pool: the tokens come from the payer, else from this contract.
    uint256 internal constant fromPayer = 1 << 160;

    function load(uint256 slot) internal view virtual returns (uint256 value);
    function store(uint256 slot, uint256 value) internal virtual;

    /// Lets one pool call back once, for one amount of one token.
    function expectCallback(address pool, uint256 fromWhom, address token, uint256 amount) internal {
        // A pool that claims to have given more than exists would turn the sign of the next amount.
        require(amount <= type(uint128).max, "amount");
        store(amountSlot, amount);
        store(tokenSlot, uint160(token));
        store(poolSlot, uint160(pool) | fromWhom);
    }

    /// Called first in every callback. What a pool sends along is never asked who pays, what and how much.
    function acceptCallback() internal returns (uint256 fromWhom) {
        uint256 expected = load(poolSlot);
        require(expected & ~fromPayer == uint160(msg.sender), "not the pool");
        store(poolSlot, 0);
        return expected & fromPayer;
    }

    function requireCalledBack() internal view {
        require(load(poolSlot) == 0, "pool took nothing");
    }
}
