// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {DystPair} from "@tetu_io/tetu-liquidator/contracts/dex/dystopia/DystPair.sol";
import {ProbeCoin, createSortedCoins} from "ProbeCoin.sol";

/// Makes a pair of Dystopia, a heir of Solidly, fills it and swaps in it, all in one call. Stands in for
/// the factory.
contract SolidlyProbe {
    struct Settings {
        bool isStable;
        uint8 decimals0;
        uint8 decimals1;
        uint256 reserve0;
        uint256 reserve1;
    }

    struct Offer {
        bool zeroForOne;
        uint256 amountIn;
    }

    struct Outcome {
        bool refused;
        uint256 amountOut;
        uint256 reserve0;
        uint256 reserve1;
    }

    ProbeCoin private token0;
    ProbeCoin private token1;
    bool private isStable;

    address public constant treasury = address(1);
    bool public constant isPaused = false;

    function getInitializable() external view returns (address, address, bool) {
        return (address(token0), address(token1), isStable);
    }

    function run(Settings calldata settings, Offer[] calldata offers) external returns (Outcome[] memory outcomes) {
        (token0, token1) = createSortedCoins(settings.decimals0, settings.decimals1);
        isStable = settings.isStable;
        DystPair pair = new DystPair();
        token0.give(address(pair), settings.reserve0);
        token1.give(address(pair), settings.reserve1);
        pair.mint(address(this));
        outcomes = new Outcome[](offers.length);
        for (uint256 i = 0; i < offers.length; i++) {
            try this.swap(pair, offers[i]) returns (uint256 amountOut) {
                outcomes[i].amountOut = amountOut;
            } catch {
                outcomes[i].refused = true;
            }
            (outcomes[i].reserve0, outcomes[i].reserve1) = (pair.reserve0(), pair.reserve1());
        }
    }

    function swap(DystPair pair, Offer calldata offer) external returns (uint256 amountOut) {
        ProbeCoin tokenIn = offer.zeroForOne ? token0 : token1;
        amountOut = pair.getAmountOut(offer.amountIn, address(tokenIn));
        tokenIn.give(address(pair), offer.amountIn);
        if (offer.zeroForOne) pair.swap(0, amountOut, address(this), "");
        else pair.swap(amountOut, 0, address(this), "");
    }
}
