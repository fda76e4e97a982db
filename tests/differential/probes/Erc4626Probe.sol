// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ERC20, ERC4626 as OpenZeppelin, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC4626 as Solady} from "solady/src/tokens/ERC4626.sol";
import {ProbeCoin} from "ProbeCoin.sol";

/// What the probe needs of either vault.
interface IVault {
    function deposit(uint256 assets, address receiver) external returns (uint256 shares);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
    function totalSupply() external view returns (uint256);
    function totalAssets() external view returns (uint256);
}

contract OpenZeppelinVault is OpenZeppelin {
    uint8 private immutable offset;

    constructor(IERC20 asset_, uint8 offset_) ERC20("", "") OpenZeppelin(asset_) {
        offset = offset_;
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return offset;
    }
}

/// Without virtual shares Solady prices as Solmate does.
contract SoladyVault is Solady {
    address private immutable token;

    constructor(address token_) {
        token = token_;
    }

    function asset() public view override returns (address) {
        return token;
    }

    function name() public pure override returns (string memory) {
        return "";
    }

    function symbol() public pure override returns (string memory) {
        return "";
    }

    function _useVirtualShares() internal pure override returns (bool) {
        return false;
    }
}

/// Makes a vault of one of the two families, moves its rate, deposits and redeems, all in one call.
contract Erc4626Probe {
    struct Settings {
        bool hasVirtualShares;
        uint8 offset;
        uint256 firstDeposit;
        /// What the vault holds once it has earned or lost.
        uint256 assets;
    }

    struct Offer {
        bool isDeposit;
        uint256 amountIn;
    }

    struct Outcome {
        bool refused;
        uint256 amountOut;
        uint256 supply;
        uint256 assets;
    }

    error NoOutput();

    function run(Settings calldata settings, Offer[] calldata offers)
        external
        returns (uint256 supply, Outcome[] memory outcomes)
    {
        ProbeCoin coin = new ProbeCoin(18);
        IVault vault = settings.hasVirtualShares
            ? IVault(address(new OpenZeppelinVault(IERC20(address(coin)), settings.offset)))
            : IVault(address(new SoladyVault(address(coin))));
        coin.give(address(this), settings.firstDeposit);
        vault.deposit(settings.firstDeposit, address(this));
        if (settings.assets > settings.firstDeposit) coin.give(address(vault), settings.assets - settings.firstDeposit);
        else coin.transferFrom(address(vault), address(1), settings.firstDeposit - settings.assets);
        supply = vault.totalSupply();
        outcomes = new Outcome[](offers.length);
        for (uint256 i = 0; i < offers.length; i++) {
            try this.swap(vault, coin, offers[i]) returns (uint256 amountOut) {
                outcomes[i].amountOut = amountOut;
            } catch {
                outcomes[i].refused = true;
            }
            (outcomes[i].supply, outcomes[i].assets) = (vault.totalSupply(), vault.totalAssets());
        }
    }

    function swap(IVault vault, ProbeCoin coin, Offer calldata offer) external returns (uint256 amountOut) {
        if (offer.isDeposit) {
            coin.give(address(this), offer.amountIn);
            amountOut = vault.deposit(offer.amountIn, address(this));
        } else {
            amountOut = vault.redeem(offer.amountIn, address(this), address(this));
        }
        if (amountOut == 0) revert NoOutput();
    }
}
