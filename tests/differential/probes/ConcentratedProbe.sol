// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ProbeToken, createSortedTokens} from "ProbeToken.sol";

interface IFactory {
    function feeAmountTickSpacing(uint24 fee) external view returns (int24);
    function enableFeeAmount(uint24 fee, int24 tickSpacing) external;
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (IPool);
}

interface IPool {
    function initialize(uint160 sqrtPriceX96) external;
    function setFeeProtocol(uint8 feeProtocol0, uint8 feeProtocol1) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
    function slot0() external view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint32, bool);
    function liquidity() external view returns (uint128);
}

/// Makes a pool with the real factory, fills it and swaps in it, all in one call. Must own the factory.
contract ConcentratedProbe {
    struct PoolSettings {
        uint24 fee;
        int24 tickSpacing;
        uint160 sqrtPriceX96;
        uint8 feeProtocol;
        Position[] positions;
        PriceLimits limits;
    }

    /// How far down and up the swaps may move the price.
    struct PriceLimits {
        uint160 lowest;
        uint160 highest;
    }

    struct Position {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    struct Offer {
        bool zeroForOne;
        uint256 amountIn;
    }

    struct PoolState {
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
    }

    /// `amountIn` and `amountOut` are the pool's answer to the whole offer. Where it leaves some of the
    /// offer, what it took is offered again alone, and `amountOutAgain` and `stateAfter` are of that swap.
    struct Outcome {
        bool refused;
        uint256 amountIn;
        uint256 amountOut;
        uint256 amountOutAgain;
        PoolState stateAfter;
    }

    error Unsettled(uint256 amountIn, uint256 amountOut);

    ProbeToken private immutable token0;
    ProbeToken private immutable token1;

    constructor() {
        (token0, token1) = createSortedTokens();
    }

    function run(IFactory factory, PoolSettings calldata settings, Offer[] calldata offers)
        external
        returns (PoolState memory initial, Outcome[] memory outcomes)
    {
        if (factory.feeAmountTickSpacing(settings.fee) == 0) {
            factory.enableFeeAmount(settings.fee, settings.tickSpacing);
        }
        IPool pool = factory.createPool(address(token0), address(token1), settings.fee);
        pool.initialize(settings.sqrtPriceX96);
        // A pool of PancakeSwap has such a fee from the beginning.
        if (settings.feeProtocol != 0) pool.setFeeProtocol(settings.feeProtocol, settings.feeProtocol);
        for (uint256 i = 0; i < settings.positions.length; i++) {
            Position calldata position = settings.positions[i];
            pool.mint(address(this), position.tickLower, position.tickUpper, position.liquidity, "");
        }
        initial = stateOf(pool);
        outcomes = new Outcome[](offers.length);
        for (uint256 i = 0; i < offers.length; i++) {
            outcomes[i] = answer(pool, offers[i], settings.limits);
        }
    }

    function answer(IPool pool, Offer memory offer, PriceLimits memory limits)
        private
        returns (Outcome memory outcome)
    {
        try this.swap(pool, offer, limits) returns (uint256 amountOut) {
            (outcome.amountIn, outcome.amountOut) = (offer.amountIn, amountOut);
            outcome.amountOutAgain = amountOut;
        } catch (bytes memory reason) {
            outcome.refused = bytes4(reason) != Unsettled.selector;
            if (!outcome.refused) {
                (outcome.amountIn, outcome.amountOut) = amountsOf(reason);
                if (outcome.amountOut > 0) {
                    Offer memory again = Offer(offer.zeroForOne, outcome.amountIn);
                    outcome.amountOutAgain = this.swap(pool, again, limits);
                }
            }
        }
        outcome.stateAfter = stateOf(pool);
    }

    function amountsOf(bytes memory unsettled) private pure returns (uint256 amountIn, uint256 amountOut) {
        // After the length (32 bytes) and the selector (4 bytes).
        assembly {
            amountIn := mload(add(unsettled, 36))
            amountOut := mload(add(unsettled, 68))
        }
    }

    /// Undone unless the pool takes the whole offer and gives something for it.
    function swap(IPool pool, Offer calldata offer, PriceLimits calldata limits) external returns (uint256 amountOut) {
        (int256 amount0, int256 amount1) = pool.swap(
            address(this),
            offer.zeroForOne,
            int256(offer.amountIn),
            offer.zeroForOne ? limits.lowest : limits.highest,
            ""
        );
        uint256 amountIn = uint256(offer.zeroForOne ? amount0 : amount1);
        amountOut = uint256(-(offer.zeroForOne ? amount1 : amount0));
        if (amountIn < offer.amountIn || amountOut == 0) revert Unsettled(amountIn, amountOut);
    }

    function stateOf(IPool pool) private view returns (PoolState memory state) {
        (state.sqrtPriceX96, state.tick,,,,,) = pool.slot0();
        state.liquidity = pool.liquidity();
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        provide(amount0, amount1);
    }

    function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        provide(amount0, amount1);
    }

    function provide(uint256 amount0, uint256 amount1) private {
        token0.give(msg.sender, amount0);
        token1.give(msg.sender, amount1);
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        pay(amount0, amount1);
    }

    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        pay(amount0, amount1);
    }

    function pay(int256 amount0, int256 amount1) private {
        if (amount0 > 0) token0.give(msg.sender, uint256(amount0));
        if (amount1 > 0) token1.give(msg.sender, uint256(amount1));
    }
}
