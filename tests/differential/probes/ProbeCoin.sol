// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ProbeToken} from "ProbeToken.sol";

/// A probe's token for contracts that ask for more than balances. Whoever asks may move all of it.
contract ProbeCoin is ProbeToken {
    uint8 public immutable decimals;
    string public constant name = "Probe";
    string public constant symbol = "PROBE";

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function allowance(address, address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function approve(address, uint256) external pure returns (bool) {
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

function createSortedCoins(uint8 decimals0, uint8 decimals1) returns (ProbeCoin token0, ProbeCoin token1) {
    (token0, token1) = (new ProbeCoin(decimals0), new ProbeCoin(decimals1));
    while (address(token0) > address(token1)) token1 = new ProbeCoin(decimals1);
}
