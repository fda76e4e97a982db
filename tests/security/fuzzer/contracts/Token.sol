// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Stage} from "./Stage.sol";

enum Manner {
    plain,
    silent, // answers nothing
    taxed, // keeps 3 % of every transfer
    rebasing, // pays everybody a little with every transfer
    refusing, // answers now and then that it moved nothing, and has moved nothing
    garbled, // answers now and then what is neither yes nor no
    calling // lets the attacker act before every transfer
}

/// A token with the manners of many. Balances are shares times a rate, so that a rebase is told from a theft.
contract Token {
    uint256 private constant unit = 1e18;

    Stage private immutable stage;
    Manner public immutable manner;
    uint256 private rate = unit;
    mapping(address => uint256) public sharesOf;
    mapping(address => mapping(address => uint256)) public allowance;
    /// The sum of what somebody allows others, as far as it can be counted.
    mapping(address => uint256) public allowed;

    constructor(Stage stage_, Manner manner_) {
        (stage, manner) = (stage_, manner_);
    }

    receive() external payable {}

    function balanceOf(address holder) public view returns (uint256) {
        return sharesOf[holder] * rate / unit;
    }

    function mint(address to, uint256 amount) public {
        sharesOf[to] += amount * unit / rate;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        unchecked {
            allowed[msg.sender] += amount - allowance[msg.sender][spender];
        }
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return !refuses(to) && move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (refuses(to)) return false;
        allowance[from][msg.sender] -= amount;
        unchecked {
            allowed[from] -= amount;
        }
        return move(from, to, amount);
    }

    // What wrapped ether has besides.
    function deposit() external payable {
        mint(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        sharesOf[msg.sender] -= amount;
        (bool isTaken,) = msg.sender.call{value: amount}("");
        require(isTaken);
    }

    function refuses(address to) private returns (bool) {
        return manner == Manner.refusing && (stage.draw(4) == 0 || to == stage.integrator());
    }

    function move(address from, address to, uint256 amount) private returns (bool) {
        if (manner == Manner.calling) stage.act();
        if (manner == Manner.rebasing) rate += rate / 1000;
        uint256 shares = amount * unit / rate;
        sharesOf[from] -= shares;
        sharesOf[to] += manner == Manner.taxed ? shares * 97 / 100 : shares;
        stage.noteTransfer(from, to, amount);
        uint256 answer = manner == Manner.garbled ? stage.draw(6) : manner == Manner.silent ? 0 : 6;
        assembly ("memory-safe") {
            mstore(0, 1)
            mstore(32, not(0))
            switch answer
            case 0 { return(0, 0) }
            case 1 { return(0, 64) } // yes, and more
            case 2 { return(32, 32) } // as great as can be
            case 3 { return(31, 1) } // one byte
            case 4 { return(0, 31) }
        }
        return true;
    }
}

/// A vault whose share is worth one unit of its asset.
contract Vault is Token {
    Token private immutable asset;

    constructor(Stage stage, Token asset_) Token(stage, Manner.plain) {
        asset = asset_;
    }

    function deposit(uint256 assets, address receiver) external returns (uint256) {
        require(asset.transferFrom(msg.sender, address(this), assets));
        mint(receiver, assets);
        return assets;
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256) {
        require(owner == msg.sender);
        sharesOf[owner] -= shares;
        require(asset.transfer(receiver, shares));
        return shares;
    }
}
