// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ProbeToken, createSortedTokens} from "ProbeToken.sol";

struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct ModifyLiquidityParams {
    int24 tickLower;
    int24 tickUpper;
    int256 liquidityDelta;
    bytes32 salt;
}

struct SwapParams {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

interface IPoolManager {
    function unlock(bytes calldata data) external returns (bytes memory);
    function initialize(PoolKey memory key, uint160 sqrtPriceX96) external returns (int24 tick);
    function modifyLiquidity(PoolKey memory key, ModifyLiquidityParams memory params, bytes calldata hookData)
        external
        returns (int256 callerDelta, int256 feesAccrued);
    function swap(PoolKey memory key, SwapParams memory params, bytes calldata hookData)
        external
        returns (int256 swapDelta);
    function sync(address currency) external;
    function settle() external payable returns (uint256 paid);
    function take(address currency, address to, uint256 amount) external;
    function setProtocolFeeController(address controller) external;
    function setProtocolFee(PoolKey memory key, uint24 newProtocolFee) external;
    function extsload(bytes32 slot) external view returns (bytes32 value);
}

/// Makes a pool in the real manager, fills it and swaps in it, all in one call. Must own the manager.
contract UniswapV4Probe {
    struct PoolSettings {
        uint24 fee;
        int24 tickSpacing;
        uint160 sqrtPriceX96;
        uint24 protocolFee;
        bool isNative;
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

    /// As in ConcentratedProbe.
    struct Outcome {
        bool refused;
        uint256 amountIn;
        uint256 amountOut;
        uint256 amountOutAgain;
        PoolState stateAfter;
    }

    error Unsettled(uint256 amountIn, uint256 amountOut);

    IPoolManager private immutable manager;
    ProbeToken private immutable token0;
    ProbeToken private immutable token1;

    constructor(IPoolManager manager_) {
        manager = manager_;
        (token0, token1) = createSortedTokens();
    }

    receive() external payable {}

    function run(PoolSettings calldata settings, Offer[] calldata offers)
        external
        returns (bytes32 id, PoolState memory initial, Outcome[] memory outcomes)
    {
        PoolKey memory key = PoolKey(
            settings.isNative ? address(0) : address(token0),
            address(token1),
            settings.fee,
            settings.tickSpacing,
            address(0)
        );
        id = keccak256(abi.encode(key));
        manager.initialize(key, settings.sqrtPriceX96);
        manager.setProtocolFeeController(address(this));
        manager.setProtocolFee(key, settings.protocolFee);
        for (uint256 i = 0; i < settings.positions.length; i++) {
            Position calldata position = settings.positions[i];
            ModifyLiquidityParams memory params = ModifyLiquidityParams(
                position.tickLower, position.tickUpper, int256(uint256(position.liquidity)), bytes32(i)
            );
            manager.unlock(abi.encodeCall(this.add, (key, params)));
        }
        initial = stateOf(id);
        outcomes = new Outcome[](offers.length);
        for (uint256 i = 0; i < offers.length; i++) {
            outcomes[i] = answer(key, offers[i], settings.limits);
        }
    }

    function answer(PoolKey memory key, Offer memory offer, PriceLimits memory limits)
        private
        returns (Outcome memory outcome)
    {
        try manager.unlock(abi.encodeCall(this.swap, (key, offer, limits))) returns (bytes memory returned) {
            (outcome.amountIn, outcome.amountOut) = (offer.amountIn, abi.decode(returned, (uint256)));
            outcome.amountOutAgain = outcome.amountOut;
        } catch (bytes memory reason) {
            outcome.refused = bytes4(reason) != Unsettled.selector;
            if (!outcome.refused) {
                (outcome.amountIn, outcome.amountOut) = amountsOf(reason);
                if (outcome.amountOut > 0) {
                    Offer memory again = Offer(offer.zeroForOne, outcome.amountIn);
                    bytes memory returned = manager.unlock(abi.encodeCall(this.swap, (key, again, limits)));
                    outcome.amountOutAgain = abi.decode(returned, (uint256));
                }
            }
        }
        outcome.stateAfter = stateOf(keccak256(abi.encode(key)));
    }

    function amountsOf(bytes memory unsettled) private pure returns (uint256 amountIn, uint256 amountOut) {
        // After the length (32 bytes) and the selector (4 bytes).
        assembly {
            amountIn := mload(add(unsettled, 36))
            amountOut := mload(add(unsettled, 68))
        }
    }

    /// Does what `run` asked the manager to unlock for.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (bool succeeded, bytes memory returned) = address(this).call(data);
        if (succeeded) return returned;
        assembly {
            revert(add(returned, 32), mload(returned))
        }
    }

    function add(PoolKey memory key, ModifyLiquidityParams memory params) external {
        (int256 delta,) = manager.modifyLiquidity(key, params, "");
        square(key, delta);
    }

    /// Undone unless the pool takes the whole offer and gives something for it.
    function swap(PoolKey memory key, Offer calldata offer, PriceLimits calldata limits)
        external
        returns (uint256 amountOut)
    {
        SwapParams memory params = SwapParams(
            offer.zeroForOne, -int256(offer.amountIn), offer.zeroForOne ? limits.lowest : limits.highest
        );
        int256 delta = manager.swap(key, params, "");
        (int256 amount0, int256 amount1) = (delta >> 128, int256(int128(delta)));
        uint256 amountIn = uint256(-(offer.zeroForOne ? amount0 : amount1));
        amountOut = uint256(offer.zeroForOne ? amount1 : amount0);
        if (amountIn < offer.amountIn || amountOut == 0) revert Unsettled(amountIn, amountOut);
        square(key, delta);
    }

    /// Pays what is owed to the manager, and takes what it owes.
    function square(PoolKey memory key, int256 delta) private {
        squareOne(key.currency0, token0, delta >> 128);
        squareOne(key.currency1, token1, int256(int128(delta)));
    }

    function squareOne(address currency, ProbeToken token, int256 amount) private {
        if (amount > 0) return manager.take(currency, address(this), uint256(amount));
        if (amount == 0) return;
        if (currency == address(0)) {
            manager.settle{value: uint256(-amount)}();
            return;
        }
        manager.sync(currency);
        token.give(address(manager), uint256(-amount));
        manager.settle();
    }

    function stateOf(bytes32 id) private view returns (PoolState memory state) {
        bytes32 slot = keccak256(abi.encode(id, uint256(6)));
        uint256 slot0 = uint256(manager.extsload(slot));
        state.sqrtPriceX96 = uint160(slot0);
        state.tick = int24(uint24(slot0 >> 160));
        state.liquidity = uint128(uint256(manager.extsload(bytes32(uint256(slot) + 3))));
    }
}
