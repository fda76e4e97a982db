// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// A token that departs from ERC-20 in one way, placed at the address of an ordinary one. Its slots are those of the ordinary one.
contract HostileToken {
    uint256 private immutable mode;
    uint256 private immutable parameter;

    uint256 public totalSupply;
    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint256 mode_, uint256 parameter_) {
        mode = mode_;
        parameter = parameter_;
    }

    function decimals() external view returns (uint8) {
        if (mode == 5) return 0;
        return 18;
    }

    function symbol() external view returns (string memory) {
        return mode == 5 ? "" : "HOSTILE";
    }

    function name() external view returns (string memory) {
        return mode == 5 ? "" : "HOSTILE";
    }

    function mint(address to, uint256 value) external {
        balances[to] += value;
        totalSupply += value;
    }

    function balanceOf(address holder) external view returns (uint256) {
        uint256 held = balances[holder];
        uint256 size = parameter;
        // Returns many bytes, of which the first word is the balance.
        if (mode == 2) {
            assembly {
                mstore(0, held)
                return(0, size)
            }
        }
        if (mode == 3) return type(uint256).max;
        return held;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        uint256 size = parameter;
        // Reverts with many bytes.
        if (mode == 1) {
            assembly {
                revert(0, size)
            }
        }
        balances[from] -= value;
        // Delivers another part of what is sent, in thousandths.
        balances[to] += mode == 4 ? value * parameter / 1_000 : value;
    }
}
