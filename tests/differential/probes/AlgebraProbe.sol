// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ProbeToken, createSortedTokens} from "ProbeToken.sol";

/// What both generations of Algebra have in common.
interface IPool {
    function initialize(uint160 price) external;
    function mint(address, address, int24 bottomTick, int24 topTick, uint128 liquidity, bytes calldata) external;
    function swap(address, bool zeroToOne, int256 amount, uint160 limit, bytes calldata)
        external
        returns (int256 amount0, int256 amount1);
    function globalState() external view returns (uint160 price, int24 tick, uint16 fee);
    function liquidity() external view returns (uint128);
}

interface IFactory {
    function createPool(address tokenA, address tokenB) external returns (IPool);
    function poolByPair(address tokenA, address tokenB) external view returns (IPool);
}

interface IIntegralFactory {
    function acceptOwnership() external;
    function createPool(address tokenA, address tokenB, bytes calldata) external returns (IPool);
    function setDefaultFee(uint16 fee) external;
    function setDefaultTickspacing(int24 tickSpacing) external;
}

/// Makes a pool with a real factory of Algebra, fills it and swaps in it, all in one call.
contract AlgebraProbe {
    struct PoolSettings {
        uint24 fee;
        int24 tickSpacing;
        uint160 sqrtPriceX96;
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
        uint16 fee;
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
    error Fee(uint16 fee);

    ProbeToken public immutable token0;
    ProbeToken public immutable token1;

    constructor() {
        (token0, token1) = createSortedTokens();
    }

    /// A pool of V1, whose fee changes with the time since it was made.
    function prepare(IFactory factory, uint160 sqrtPriceX96) external {
        factory.createPool(address(token0), address(token1)).initialize(sqrtPriceX96);
    }

    function runPrepared(IFactory factory, PoolSettings calldata settings, Offer[] calldata offers)
        external
        returns (PoolState memory initial, Outcome[] memory outcomes)
    {
        return run(factory.poolByPair(address(token0), address(token1)), settings, offers);
    }

    function runIntegral(IIntegralFactory factory, PoolSettings calldata settings, Offer[] calldata offers)
        external
        returns (PoolState memory initial, Outcome[] memory outcomes)
    {
        factory.acceptOwnership();
        // The factory refuses to be told what it has.
        try factory.setDefaultFee(uint16(settings.fee)) {} catch {}
        try factory.setDefaultTickspacing(settings.tickSpacing) {} catch {}
        IPool pool = factory.createPool(address(token0), address(token1), "");
        pool.initialize(settings.sqrtPriceX96);
        return run(pool, settings, offers);
    }

    function run(IPool pool, PoolSettings calldata settings, Offer[] calldata offers)
        private
        returns (PoolState memory initial, Outcome[] memory outcomes)
    {
        for (uint256 i = 0; i < settings.positions.length; i++) {
            Position calldata position = settings.positions[i];
            pool.mint(
                address(this), address(this), position.tickLower, position.tickUpper, position.liquidity, ""
            );
        }
        initial = stateOf(pool);
        initial.fee = feeOfNextSwap(pool);
        outcomes = new Outcome[](offers.length);
        for (uint256 i = 0; i < offers.length; i++) {
            outcomes[i] = answer(pool, offers[i], settings.limits);
        }
    }

    /// The fee that the pool has set when it asks for the payment of a swap, which then does not happen.
    /// The limit is the widest: where all liquidity lies above the price, so do the limits of the offers.
    function feeOfNextSwap(IPool pool) private returns (uint16 fee) {
        try pool.swap(address(this), true, 1, 4295128740, "fee") {}
        catch (bytes memory reason) {
            if (bytes4(reason) == Fee.selector) {
                assembly {
                    fee := mload(add(reason, 36))
                }
            }
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
        (state.sqrtPriceX96, state.tick, state.fee) = pool.globalState();
        state.liquidity = pool.liquidity();
    }

    function algebraMintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        token0.give(msg.sender, amount0);
        token1.give(msg.sender, amount1);
    }

    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        if (data.length > 0) {
            (,, uint16 fee) = IPool(msg.sender).globalState();
            revert Fee(fee);
        }
        if (amount0 > 0) token0.give(msg.sender, uint256(amount0));
        if (amount1 > 0) token1.give(msg.sender, uint256(amount1));
    }
}
