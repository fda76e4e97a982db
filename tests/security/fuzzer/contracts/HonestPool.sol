// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Callbacks, Stage} from "./Stage.sol";
import {Token} from "./Token.sol";

/// A pool of any kind that trades one for one, less a little, and trusts nobody: it pays out no more than its price
/// gives for what has arrived. Token 0 is what its programs call so, whatever the addresses.
contract HonestPool {
    Token private token0;
    Token private token1;
    uint256 private whichCallback;
    uint256 private reserve0;
    uint256 private reserve1;

    /// Once, when it holds what it trades.
    function open(Token token0_, Token token1_, uint256 whichCallback_) external {
        (token0, token1, whichCallback) = (token0_, token1_, whichCallback_);
        (reserve0, reserve1) = (token0.balanceOf(address(this)), token1.balanceOf(address(this)));
    }

    // Pairs.
    function getReserves() external view returns (uint256, uint256) {
        return (reserve0, reserve1);
    }

    function getAmountOut(uint256 amountIn, address tokenIn) public view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut) =
            tokenIn == address(token0) ? (reserve0, reserve1) : (reserve1, reserve0);
        return amountIn * 997 * reserveOut / (reserveIn * 1000 + amountIn * 997);
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external {
        require(data.length == 0 && (amount0Out == 0) != (amount1Out == 0), "PAIR");
        Token tokenIn = amount0Out == 0 ? token0 : token1;
        uint256 arrived = tokenIn.balanceOf(address(this)) - (amount0Out == 0 ? reserve0 : reserve1);
        require(amount0Out + amount1Out <= getAmountOut(arrived, address(tokenIn)), "K");
        send(amount0Out == 0 ? token1 : token0, to, amount0Out + amount1Out);
        (reserve0, reserve1) = (token0.balanceOf(address(this)), token1.balanceOf(address(this)));
    }

    // Concentrated liquidity.
    function swap(address to, bool zeroForOne, int256 amount, uint160, bytes calldata)
        external
        returns (int256, int256)
    {
        require(amount > 0, "AS");
        (Token tokenIn, Token tokenOut) = zeroForOne ? (token0, token1) : (token1, token0);
        uint256 before = tokenIn.balanceOf(address(this));
        int256 amountOut = amount * 997 / 1000;
        send(tokenOut, to, uint256(amountOut));
        (int256 delta0, int256 delta1) = zeroForOne ? (amount, -amountOut) : (-amountOut, amount);
        Callbacks caller = Callbacks(msg.sender);
        if (whichCallback == 0) caller.uniswapV3SwapCallback(delta0, delta1, "");
        else if (whichCallback == 1) caller.pancakeV3SwapCallback(delta0, delta1, "");
        else caller.algebraSwapCallback(delta0, delta1, "");
        require(tokenIn.balanceOf(address(this)) >= before + uint256(amount), "IIA");
        return (delta0, delta1);
    }

    // Curve.
    function exchange(int128 i, int128 j, uint256 amount, uint256) external {
        (Token tokenIn, Token tokenOut) = i == 0 ? (token0, token1) : (token1, token0);
        require(i != j && i >= 0 && j >= 0 && i < 2 && j < 2, "coins");
        uint256 before = tokenIn.balanceOf(address(this));
        (bool isMoved,) =
            address(tokenIn).call(abi.encodeCall(Token.transferFrom, (msg.sender, address(this), amount)));
        require(isMoved);
        send(tokenOut, msg.sender, (tokenIn.balanceOf(address(this)) - before) * 997 / 1000);
    }

    /// As pools do: by what the token answers.
    function send(Token token, address to, uint256 amount) private {
        (bool isMoved, bytes memory answer) = address(token).call(abi.encodeCall(Token.transfer, (to, amount)));
        require(isMoved && (answer.length == 0 || abi.decode(answer, (bool))), "TF");
    }
}

struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct SwapParams {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

/// A manager with a pool for any two currencies, in the manner of Uniswap V4: everybody settles what they owe before
/// the end of `unlock`. Pools with hooks let the attacker act.
contract HonestManager {
    Stage private immutable stage;
    address private unlocker;
    mapping(address => int256) private debt;
    uint256 private debts;
    address private synced;
    uint256 private before;

    constructor(Stage stage_) {
        stage = stage_;
    }

    receive() external payable {}

    function unlock(bytes calldata data) external returns (bytes memory answer) {
        require(unlocker == address(0), "AlreadyUnlocked");
        unlocker = msg.sender;
        answer = Callbacks(msg.sender).unlockCallback(data);
        require(debts == 0, "CurrencyNotSettled");
        unlocker = address(0);
    }

    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata) external returns (int256) {
        require(msg.sender == unlocker && params.amountSpecified < 0, "swap");
        if (uint160(key.hooks) & 0xcc != 0) stage.act();
        int256 amountIn = -params.amountSpecified;
        int256 amountOut = amountIn * 997 / 1000;
        (address paid, address taken) =
            params.zeroForOne ? (key.currency0, key.currency1) : (key.currency1, key.currency0);
        account(paid, -amountIn);
        account(taken, amountOut);
        (int256 delta0, int256 delta1) = params.zeroForOne ? (-amountIn, amountOut) : (amountOut, -amountIn);
        return (delta0 << 128) | int256(uint256(uint128(uint256(delta1))));
    }

    function sync(address currency) external {
        (synced, before) = (currency, Token(payable(currency)).balanceOf(address(this)));
    }

    function settle() external payable returns (uint256 paid) {
        paid = msg.value > 0 ? msg.value : Token(payable(synced)).balanceOf(address(this)) - before;
        account(msg.value > 0 ? address(0) : synced, int256(paid));
    }

    function take(address currency, address to, uint256 amount) external {
        require(msg.sender == unlocker, "take");
        account(currency, -int256(amount));
        if (currency == address(0)) {
            (bool isTaken,) = to.call{value: amount}("");
            require(isTaken);
        } else {
            (bool isMoved, bytes memory answer) = currency.call(abi.encodeCall(Token.transfer, (to, amount)));
            require(isMoved && (answer.length == 0 || abi.decode(answer, (bool))), "TF");
        }
    }

    function account(address currency, int256 change) private {
        if (change == 0) return;
        int256 old = debt[currency];
        debt[currency] = old + change;
        if (old == 0) debts++;
        else if (old + change == 0) debts--;
    }
}
