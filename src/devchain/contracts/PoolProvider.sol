// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

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

interface PoolManager {
    function initialize(PoolKey calldata key, uint160 sqrtPriceX96) external returns (int24);
    function unlock(bytes calldata data) external returns (bytes memory);
    function modifyLiquidity(PoolKey calldata key, ModifyLiquidityParams calldata params, bytes calldata hookData)
        external
        returns (int256 callerDelta, int256 feesAccrued);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
}

interface ConcentratedFactory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (ConcentratedPool);
}

interface ConcentratedPool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
}

interface MintedToken {
    function mint(address to, uint256 value) external;
}

interface WrappedNative {
    function deposit() external payable;
    function transfer(address to, uint256 value) external returns (bool);
}

/// Makes pools of PancakeSwap V3 and Uniswap V4 with positions in one call, which need a contract to be called
/// back. It mints or wraps what a pool asks for, gives back the ether that is left, and owns the positions.
contract PoolProvider {
    struct Position {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    WrappedNative private immutable wrapped;

    constructor(WrappedNative wrapped_) {
        wrapped = wrapped_;
    }

    function addConcentrated(
        ConcentratedFactory factory,
        address token0,
        address token1,
        uint24 fee,
        uint160 sqrtPriceX96,
        Position[] calldata positions
    ) external payable returns (ConcentratedPool pool) {
        pool = factory.createPool(token0, token1, fee);
        pool.initialize(sqrtPriceX96);
        for (uint256 i; i < positions.length; i++) {
            Position calldata position = positions[i];
            pool.mint(
                address(this), position.tickLower, position.tickUpper, position.liquidity, abi.encode(token0, token1)
            );
        }
        giveBack();
    }

    function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata tokens) external {
        (address token0, address token1) = abi.decode(tokens, (address, address));
        provide(token0, amount0);
        provide(token1, amount1);
    }

    function addManaged(PoolManager manager, PoolKey calldata key, uint160 sqrtPriceX96, Position[] calldata positions)
        external
        payable
    {
        manager.initialize(key, sqrtPriceX96);
        manager.unlock(abi.encode(key, positions));
        giveBack();
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (PoolKey memory key, Position[] memory positions) = abi.decode(data, (PoolKey, Position[]));
        PoolManager manager = PoolManager(msg.sender);
        for (uint256 i; i < positions.length; i++) {
            (int256 delta,) = manager.modifyLiquidity(
                key,
                ModifyLiquidityParams(
                    positions[i].tickLower, positions[i].tickUpper, int256(uint256(positions[i].liquidity)), 0
                ),
                ""
            );
            settle(manager, key.currency0, delta >> 128);
            settle(manager, key.currency1, int128(delta));
        }
        return "";
    }

    function settle(PoolManager manager, address currency, int256 owed) private {
        if (owed == 0) return;
        uint256 amount = uint256(-owed);
        if (currency == address(0)) {
            manager.settle{value: amount}();
            return;
        }
        manager.sync(currency);
        provide(currency, amount);
        manager.settle();
    }

    function provide(address token, uint256 amount) private {
        if (token != address(wrapped)) return MintedToken(token).mint(msg.sender, amount);
        wrapped.deposit{value: amount}();
        wrapped.transfer(msg.sender, amount);
    }

    function giveBack() private {
        (bool isTaken,) = msg.sender.call{value: address(this).balance}("");
        require(isTaken, "the caller takes no ether");
    }
}
