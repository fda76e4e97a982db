// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ProbeToken, createSortedTokens} from "ProbeToken.sol";

interface IPair {
    function initialize(address token0, address token1) external;
    function sync() external;
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32);
}

interface IRouter {
    function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) external pure returns (uint256);
}

/// Deploys a pair, fills it and tries claimed outputs on it, all in one call. Stands in for the factory.
contract ConstantProductProbe {
    /// A claim that this output, and not one unit more, can be had for the input.
    struct Claim {
        bool zeroForOne;
        uint256 amountIn;
        uint256 amountOut;
    }

    struct Outcome {
        bool oneMoreRefused;
        bool accepted;
        uint256 routerAmountOut;
        uint256 reserve0;
        uint256 reserve1;
    }

    error Undone();

    ProbeToken private immutable token0;
    ProbeToken private immutable token1;

    constructor() {
        (token0, token1) = createSortedTokens();
    }

    function run(
        bytes memory pairCreationCode,
        IRouter router,
        uint256 reserve0,
        uint256 reserve1,
        Claim[] calldata claims
    ) external returns (Outcome[] memory outcomes) {
        IPair pair;
        assembly {
            pair := create(0, add(pairCreationCode, 32), mload(pairCreationCode))
        }
        pair.initialize(address(token0), address(token1));
        token0.give(address(pair), reserve0);
        token1.give(address(pair), reserve1);
        pair.sync();
        outcomes = new Outcome[](claims.length);
        for (uint256 i = 0; i < claims.length; i++) {
            outcomes[i] = judge(pair, router, claims[i]);
        }
    }

    function judge(IPair pair, IRouter router, Claim memory claim) private returns (Outcome memory outcome) {
        (uint256 reserve0, uint256 reserve1,) = pair.getReserves();
        (uint256 reserveIn, uint256 reserveOut) = claim.zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        try router.getAmountOut(claim.amountIn, reserveIn, reserveOut) returns (uint256 amountOut) {
            outcome.routerAmountOut = amountOut;
        } catch {}
        try this.swapAndUndo(pair, Claim(claim.zeroForOne, claim.amountIn, claim.amountOut + 1)) {}
        catch (bytes memory reason) {
            outcome.oneMoreRefused = bytes4(reason) != Undone.selector;
        }
        try this.swap(pair, claim) {
            outcome.accepted = true;
        } catch {}
        (outcome.reserve0, outcome.reserve1,) = pair.getReserves();
    }

    function swapAndUndo(IPair pair, Claim calldata claim) external {
        swap(pair, claim);
        revert Undone();
    }

    function swap(IPair pair, Claim calldata claim) public {
        (claim.zeroForOne ? token0 : token1).give(address(pair), claim.amountIn);
        if (claim.zeroForOne) pair.swap(0, claim.amountOut, address(this), "");
        else pair.swap(claim.amountOut, 0, address(this), "");
    }
}
