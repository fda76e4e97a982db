// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {MoveTokens} from "./MoveTokens.sol";

interface IAlgebraPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address sender, address owner, int24 bottomTick, int24 topTick, uint128 liquidity, bytes calldata)
        external;
}

/// Gives a pool of Algebra liquidity out of what it holds itself.
contract AlgebraProvider is MoveTokens {
    function provide(IAlgebraPool pool, int24 bottomTick, int24 topTick, uint128 liquidity) external {
        pool.mint(msg.sender, msg.sender, bottomTick, topTick, liquidity, "");
    }

    /// Whoever asks is paid: on this chain each token is its own faucet.
    function algebraMintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        _send(IAlgebraPool(msg.sender).token0(), msg.sender, amount0);
        _send(IAlgebraPool(msg.sender).token1(), msg.sender, amount1);
    }
}
