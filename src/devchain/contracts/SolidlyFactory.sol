// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IToken, MoveTokens} from "./MoveTokens.sol";

/// A pair with one of two curves: x·y for tokens of any worth, x³y + y³x for two of the same. Its fees leave
/// it with every swap, to whoever made the factory.
contract SolidlyPair is MoveTokens {
    event Sync(uint256 reserve0, uint256 reserve1);
    event Fees(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(
        address indexed sender,
        address indexed to,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out
    );

    uint256 private constant ONE = 1e18;
    uint256 private constant MOST_STEPS = 255;

    SolidlyFactory public immutable factory;
    address public immutable token0;
    address public immutable token1;
    bool public immutable stable;
    uint256 private immutable unit0;
    uint256 private immutable unit1;

    uint256 public reserve0;
    uint256 public reserve1;
    bool private isLocked;

    modifier lock() {
        require(!isLocked, "locked");
        isLocked = true;
        _;
        isLocked = false;
    }

    constructor() {
        factory = SolidlyFactory(msg.sender);
        (token0, token1, stable) = factory.parameters();
        unit0 = 10 ** IToken(token0).decimals();
        unit1 = 10 ** IToken(token1).decimals();
    }

    function metadata()
        external
        view
        returns (uint256, uint256, uint256, uint256, bool, address, address)
    {
        return (unit0, unit1, reserve0, reserve1, stable, token0, token1);
    }

    function getReserves() external view returns (uint256, uint256, uint256) {
        return (reserve0, reserve1, block.timestamp);
    }

    /// Liquidity is given for good on this chain: nobody gets a share for it.
    function sync() external lock {
        _update();
    }

    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256) {
        bool zeroForOne = tokenIn == token0;
        amountIn -= _feeOf(amountIn);
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        if (!stable) return (amountIn * reserveOut) / (reserveIn + amountIn);
        (uint256 unitIn, uint256 unitOut) = zeroForOne ? (unit0, unit1) : (unit1, unit0);
        uint256 x = ((reserveIn * ONE) / unitIn) + ((amountIn * ONE) / unitIn);
        uint256 y = (reserveOut * ONE) / unitOut;
        return ((y - _solve(x, _invariant(reserve0, reserve1), y)) * unitOut) / ONE;
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external lock {
        (uint256 before0, uint256 before1) = (reserve0, reserve1);
        require(amount0Out < before0 && amount1Out < before1, "insufficient liquidity");
        if (amount0Out > 0) _send(token0, to, amount0Out);
        if (amount1Out > 0) _send(token1, to, amount1Out);
        uint256 amount0In = _held(token0) + amount0Out - before0;
        uint256 amount1In = _held(token1) + amount1Out - before1;
        require(amount0In > 0 || amount1In > 0, "insufficient input amount");
        (uint256 fee0, uint256 fee1) = (_feeOf(amount0In), _feeOf(amount1In));
        if (fee0 > 0) _send(token0, factory.treasury(), fee0);
        if (fee1 > 0) _send(token1, factory.treasury(), fee1);
        emit Fees(msg.sender, fee0, fee1);
        require(
            _invariant(_held(token0), _held(token1)) >= _invariant(before0, before1), "invariant"
        );
        _update();
        emit Swap(msg.sender, to, amount0In, amount1In, amount0Out, amount1Out);
    }

    function _update() private {
        (reserve0, reserve1) = (_held(token0), _held(token1));
        emit Sync(reserve0, reserve1);
    }

    function _feeOf(uint256 amountIn) private view returns (uint256) {
        return (amountIn * factory.getFee(address(this), stable)) / 10_000;
    }

    function _invariant(uint256 balance0, uint256 balance1) private view returns (uint256) {
        if (!stable) return balance0 * balance1;
        uint256 x = (balance0 * ONE) / unit0;
        uint256 y = (balance1 * ONE) / unit1;
        return (((x * y) / ONE) * ((x * x) / ONE + (y * y) / ONE)) / ONE;
    }

    /// The reserve that goes with `x`, by Newton's method from `y` on.
    function _solve(uint256 x, uint256 invariant, uint256 y) private pure returns (uint256) {
        uint256 cube = (((x * x) / ONE) * x) / ONE;
        for (uint256 count; count < MOST_STEPS; count++) {
            uint256 square = (y * y) / ONE;
            uint256 reached = (x * ((square * y) / ONE)) / ONE + (cube * y) / ONE;
            uint256 slope = (3 * x * square) / ONE + cube;
            uint256 step = ((reached < invariant ? invariant - reached : reached - invariant) * ONE) / slope;
            y = reached < invariant ? y + step : y - step;
            if (step <= 1) break;
        }
        return y;
    }
}

/// Makes pairs, one of each curve for two tokens, at addresses that follow from these.
contract SolidlyFactory {
    address public immutable treasury = msg.sender;
    /// Read by the constructor of a pair.
    address private token0;
    address private token1;
    bool private stable;
    mapping(address => mapping(address => mapping(bool => address))) public getPair;

    function parameters() external view returns (address, address, bool) {
        return (token0, token1, stable);
    }

    /// In ten-thousandths.
    function getFee(address, bool isStable) external pure returns (uint256) {
        return isStable ? 5 : 30;
    }

    function pairCodeHash() external pure returns (bytes32) {
        return keccak256(type(SolidlyPair).creationCode);
    }

    function createPair(address tokenA, address tokenB, bool isStable) external returns (address pair) {
        (token0, token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        stable = isStable;
        pair = address(new SolidlyPair{salt: keccak256(abi.encodePacked(token0, token1, isStable))}());
        getPair[token0][token1][isStable] = getPair[token1][token0][isStable] = pair;
    }
}
