// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

interface AlgebraPool {
    function globalState() external view returns (uint160 price, int24 tick, uint16 fee);
    function tickTable(int16) external view returns (uint256);
    function swap(address recipient, bool zeroToOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

interface DirectionalPool {
    function globalState() external view returns (uint160 price, int24 tick, uint16 fee0, uint16 fee1);
}

/// Begins swaps in pools of Algebra, sees what they would take and give at which fee, and undoes them. A pool
/// calls back only what has code, which a constructor has not: hence a contract of its own.
contract AlgebraTrial {
    // Just inside the range of prices that a pool accepts as a limit.
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// A pool with a fee for each direction shows both, that of token 1 after that of token 0.
    function swap(AlgebraPool pool, bool zeroForOne, uint256 amount, bool isDirectional)
        external
        returns (bool ok, uint256 fee, uint256 taken, uint256 given)
    {
        bytes memory showsSecond = isDirectional && !zeroForOne ? bytes("1") : bytes("");
        try pool.swap(address(this), zeroForOne, int256(amount), zeroForOne ? LOWEST : HIGHEST, showsSecond) {
            return (false, 0, 0, 0);
        } catch (bytes memory shown) {
            if (shown.length != 96) return (false, 0, 0, 0);
            (uint256 feeNow, int256 amount0, int256 amount1) = abi.decode(shown, (uint256, int256, int256));
            (int256 paid, int256 got) = zeroForOne ? (amount0, amount1) : (amount1, amount0);
            return (true, feeNow, uint256(paid), uint256(-got));
        }
    }

    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata showsSecond) external view {
        uint256 fee;
        if (showsSecond.length == 0) (,, fee) = AlgebraPool(msg.sender).globalState();
        else (,,, fee) = DirectionalPool(msg.sender).globalState();
        assembly ("memory-safe") {
            let shown := mload(0x40)
            mstore(shown, fee)
            mstore(add(shown, 32), amount0)
            mstore(add(shown, 64), amount1)
            revert(shown, 96)
        }
    }
}
