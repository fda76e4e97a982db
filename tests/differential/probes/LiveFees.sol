// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Answers the getters of a pool of Slipstream and of a pair of Velodrome V2, of which it is the factory, too. A module
/// sets the fee of the pool, and needs most of the gas that Slipstream's factory gives it.
contract LiveFees {
    bool public isPaused;
    uint128 public constant liquidity = 10 ** 18;
    int24 public constant tickSpacing = 50;

    function setPaused(bool paused) external {
        isPaused = paused;
    }

    function slot0() external pure returns (uint160, int24, uint16, uint16, uint16, bool) {
        return (2 ** 96, 0, 0, 1, 1, true);
    }

    function tickBitmap(int16) external pure returns (uint256) {
        return 0;
    }

    function fee() external view returns (uint24) {
        try this.module{gas: 200_000}() returns (uint24 set) {
            return set;
        } catch {
            return 500;
        }
    }

    function module() external view returns (uint24 set) {
        uint256 before = gasleft();
        while (before - gasleft() < 150_000) set = 445;
    }

    function metadata() external view returns (uint256, uint256, uint256, uint256, bool, address, address) {
        return (10 ** 18, 10 ** 6, 5 * 10 ** 18, 5 * 10 ** 6, true, address(this), address(this));
    }

    function getFee(address, bool) external pure returns (uint256) {
        return 7;
    }
}
