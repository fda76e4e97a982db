// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// A token that anyone may have as much of as they like, so that no swap fails for want of funds.
contract ProbeToken {
    mapping(address => uint256) public balanceOf;

    function give(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

function createSortedTokens() returns (ProbeToken token0, ProbeToken token1) {
    (token0, token1) = (new ProbeToken(), new ProbeToken());
    if (address(token0) > address(token1)) (token0, token1) = (token1, token0);
}
