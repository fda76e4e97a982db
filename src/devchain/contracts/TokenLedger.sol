// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Balances and allowances, without the functions in which the tokens of this folder differ.
/// Everything a constructor is told is kept in the code and not in storage, so that the code alone
/// makes the token, at whatever address it is placed.
abstract contract TokenLedger {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    uint8 public immutable decimals;
    bytes32 internal immutable packedName;
    bytes32 internal immutable packedSymbol;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_) {
        packedName = name_;
        packedSymbol = symbol_;
        decimals = decimals_;
    }

    /// Open to everyone: on a development chain each token is its own faucet.
    function mint(address to, uint256 value) external virtual {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function _move(address from, address to, uint256 value) internal virtual {
        require(balanceOf[from] >= value, "transfer amount exceeds balance");
        unchecked {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }

    function _moveFrom(address from, address to, uint256 value) internal {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "insufficient allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
    }

    function _approve(address spender, uint256 value) internal {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }
}
