// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

interface IToken {
    function balanceOf(address holder) external view returns (uint256);
    function decimals() external view returns (uint8);
    function transfer(address to, uint256 value) external;
    function transferFrom(address from, address to, uint256 value) external;
}

/// Moves tokens, whatever their functions return: the interface expects nothing, so that tokens like USDT
/// work. Those that answer `false` are not on this chain.
abstract contract MoveTokens {
    function _send(address token, address to, uint256 value) internal {
        IToken(token).transfer(to, value);
    }

    function _take(address token, uint256 value) internal {
        IToken(token).transferFrom(msg.sender, address(this), value);
    }

    function _held(address token) internal view returns (uint256) {
        return IToken(token).balanceOf(address(this));
    }
}
