// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IToken, MoveTokens} from "./MoveTokens.sol";

/// A pool of three coins of the same worth, behind the interface of the first plain pools of Curve.
contract StableSwapPool is MoveTokens {
    event TokenExchange(
        address indexed buyer, int128 soldId, uint256 tokensSold, int128 boughtId, uint256 tokensBought
    );

    uint256 private constant COINS = 3;
    uint256 private constant ONE = 1e18;
    uint256 private constant FEE_UNIT = 1e10;
    uint256 private constant MOST_STEPS = 255;

    uint256 public immutable A;
    uint256 public immutable fee;
    uint256 public immutable admin_fee;

    address[COINS] private _coins;
    uint256[COINS] private _balances;
    uint256[COINS] private _rates;

    constructor(address[COINS] memory coins_, uint256 amplification, uint256 fee_, uint256 adminFee) {
        (A, fee, admin_fee) = (amplification, fee_, adminFee);
        _coins = coins_;
        for (uint256 i; i < COINS; i++) _rates[i] = 10 ** (36 - IToken(coins_[i]).decimals());
    }

    function coins(int128 index) external view returns (address) {
        return _coins[uint128(index)];
    }

    function balances(int128 index) external view returns (uint256) {
        return _balances[uint128(index)];
    }

    /// Counts what has been sent to the pool. Liquidity is given for good on this chain.
    function add_liquidity() external {
        for (uint256 i; i < COINS; i++) _balances[i] = IToken(_coins[i]).balanceOf(address(this));
    }

    function get_dy(int128 sold, int128 bought, uint256 amount) external view returns (uint256) {
        uint256[COINS] memory scaled = _scaled();
        uint256 given = scaled[uint128(bought)] - _solve(uint128(sold), uint128(bought), amount, scaled);
        return ((given - (given * fee) / FEE_UNIT) * ONE) / _rates[uint128(bought)];
    }

    function exchange(int128 sold, int128 bought, uint256 amount, uint256 least) external {
        uint256[COINS] memory scaled = _scaled();
        (uint256 i, uint256 j) = (uint128(sold), uint128(bought));
        uint256 y = _solve(i, j, amount, scaled);
        uint256 given = scaled[j] - y;
        uint256 cut = (given * fee) / FEE_UNIT;
        uint256 received = ((given - cut) * ONE) / _rates[j];
        require(received >= least, "too little received");
        _balances[i] = ((scaled[i] + (amount * _rates[i]) / ONE) * ONE) / _rates[i];
        _balances[j] = ((y + cut - (cut * admin_fee) / FEE_UNIT) * ONE) / _rates[j];
        _take(_coins[i], amount);
        _send(_coins[j], msg.sender, received);
        emit TokenExchange(msg.sender, sold, amount, bought, received);
    }

    function _scaled() private view returns (uint256[COINS] memory scaled) {
        for (uint256 i; i < COINS; i++) scaled[i] = (_balances[i] * _rates[i]) / ONE;
    }

    /// The balance of coin `j` once `amount` of coin `i` has come, by Newton's method.
    function _solve(uint256 i, uint256 j, uint256 amount, uint256[COINS] memory scaled)
        private
        view
        returns (uint256 y)
    {
        require(i != j, "same coin");
        uint256 invariant = _invariant(scaled);
        uint256 slope = A * COINS;
        uint256 quotient = invariant;
        uint256 sum;
        for (uint256 k; k < COINS; k++) {
            if (k == j) continue;
            uint256 balance = k == i ? scaled[k] + (amount * _rates[k]) / ONE : scaled[k];
            sum += balance;
            quotient = (quotient * invariant) / (balance * COINS);
        }
        quotient = (quotient * invariant) / (slope * COINS);
        y = invariant;
        for (uint256 count; count < MOST_STEPS; count++) {
            uint256 previous = y;
            y = (y * y + quotient) / (2 * y + sum + invariant / slope - invariant);
            if (_isClose(y, previous)) break;
        }
    }

    function _invariant(uint256[COINS] memory scaled) private view returns (uint256 invariant) {
        uint256 sum = scaled[0] + scaled[1] + scaled[2];
        uint256 slope = A * COINS;
        invariant = sum;
        for (uint256 count; count < MOST_STEPS && sum > 0; count++) {
            uint256 quotient = invariant;
            for (uint256 k; k < COINS; k++) quotient = (quotient * invariant) / (scaled[k] * COINS + 1);
            uint256 previous = invariant;
            invariant = ((slope * sum + quotient * COINS) * invariant)
                / ((slope - 1) * invariant + (COINS + 1) * quotient);
            if (_isClose(invariant, previous)) break;
        }
    }

    function _isClose(uint256 one, uint256 other) private pure returns (bool) {
        return one > other ? one - other <= 1 : other - one <= 1;
    }
}
