// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {MoveTokens} from "./MoveTokens.sol";
import {StandardTransfers} from "./StandardTransfers.sol";
import {TextMetadata} from "./TextMetadata.sol";
import {TokenLedger} from "./TokenLedger.sol";

/// A vault as ERC-4626 describes it, which counts one virtual share and one virtual asset. What is sent to it
/// beside deposits is its yield.
contract SavingsVault is MoveTokens, StandardTransfers, TextMetadata {
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );

    address public immutable asset;

    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_, address asset_)
        TokenLedger(name_, symbol_, decimals_)
    {
        asset = asset_;
    }

    /// Shares have to be paid for.
    function mint(address, uint256) external pure override {
        revert("deposit instead");
    }

    function totalAssets() public view returns (uint256) {
        return _held(asset);
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return (assets * (totalSupply + 1)) / (totalAssets() + 1);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return (shares * (totalAssets() + 1)) / (totalSupply + 1);
    }

    function previewDeposit(uint256 assets) external view returns (uint256) {
        return convertToShares(assets);
    }

    function previewRedeem(uint256 shares) external view returns (uint256) {
        return convertToAssets(shares);
    }

    function maxDeposit(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function maxRedeem(address owner) external view returns (uint256) {
        return balanceOf[owner];
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        _take(asset, assets);
        totalSupply += shares;
        balanceOf[receiver] += shares;
        emit Transfer(address(0), receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        if (owner != msg.sender) {
            uint256 allowed = allowance[owner][msg.sender];
            require(allowed >= shares, "insufficient allowance");
            if (allowed != type(uint256).max) allowance[owner][msg.sender] = allowed - shares;
        }
        assets = convertToAssets(shares);
        require(balanceOf[owner] >= shares, "redeemed amount exceeds balance");
        balanceOf[owner] -= shares;
        totalSupply -= shares;
        emit Transfer(owner, address(0), shares);
        _send(asset, receiver, assets);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
    }
}
