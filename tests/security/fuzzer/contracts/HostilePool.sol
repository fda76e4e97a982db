// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {PoolKey, SwapParams} from "./HonestPool.sol";
import {Callbacks, Stage} from "./Stage.sol";
import {Token} from "./Token.sol";

/// A pool of every kind that pays, asks, takes and claims what it likes, lets the attacker act, and is fair now and then.
contract HostilePool {
    Stage private stage;
    Token private tokenIn;
    Token private tokenOut;
    /// Whether an amount beyond 128 bits would be handed to a pool that calls back.
    bool private mayClaimHuge;

    function open(Stage stage_, Token tokenIn_, Token tokenOut_, bool mayClaimHuge_) external {
        (stage, tokenIn, tokenOut, mayClaimHuge) = (stage_, tokenIn_, tokenOut_, mayClaimHuge_);
    }

    receive() external payable {}

    // Pairs.
    function getReserves() external view returns (uint256, uint256) {
        uint256 held = tokenIn.balanceOf(address(this));
        return (held / 2, held / 3);
    }

    function getAmountOut(uint256 amountIn, address) external pure returns (uint256) {
        return amountIn;
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external {
        stage.act();
        payOut(to, amount0Out + amount1Out);
        stage.act();
    }

    // Concentrated liquidity.
    function swap(address to, bool zeroForOne, int256 amount, uint160, bytes calldata)
        external
        returns (int256, int256)
    {
        stage.act();
        uint256 times = stage.draw(6);
        for (uint256 i; i < (times == 0 ? 0 : times == 1 ? 2 : 1); i++) callBack(zeroForOne, amount);
        uint256 paid = payOut(to, uint256(amount));
        stage.act();
        int256 claimed = -int256(claim(paid, uint256(amount)));
        return zeroForOne ? (amount, claimed) : (claimed, amount);
    }

    function callBack(bool zeroForOne, int256 amount) private {
        uint256 asked = stage.draw(10);
        if (asked == 0) amount += 1;
        if (asked == 1) amount *= 2;
        if (asked == 2) amount = 0;
        (int256 delta0, int256 delta1) = zeroForOne ? (amount, -amount) : (-amount, amount);
        uint256 which = stage.draw(3);
        bytes memory data = which == 0
            ? abi.encodeCall(Callbacks.uniswapV3SwapCallback, (delta0, delta1, ""))
            : which == 1
                ? abi.encodeCall(Callbacks.pancakeV3SwapCallback, (delta0, delta1, ""))
                : abi.encodeCall(Callbacks.algebraSwapCallback, (delta0, delta1, ""));
        (bool isDone,) = msg.sender.call(data);
        require(isDone || stage.draw(4) == 0, "refused");
    }

    // Uniswap V4.
    function unlock(bytes calldata data) external returns (bytes memory answer) {
        stage.act();
        answer = abi.encode(uint256(0));
        uint256 times = stage.draw(6);
        for (uint256 i; i < (times == 0 ? 0 : times == 1 ? 2 : 1); i++) {
            bytes memory handed = data;
            if (stage.draw(4) == 0) handed[stage.draw(handed.length)] = bytes1(uint8(stage.draw(256)));
            (bool isDone, bytes memory returned) =
                msg.sender.call(abi.encodeCall(Callbacks.unlockCallback, (handed)));
            require(isDone || stage.draw(4) == 0, "refused");
            if (isDone) answer = abi.decode(returned, (bytes));
        }
        if (stage.draw(4) == 0) answer = abi.encode(claim(0, stage.draw(1 ether)));
        stage.act();
    }

    function swap(PoolKey calldata, SwapParams calldata params, bytes calldata) external returns (int256) {
        stage.act();
        int256 out = stage.draw(4) == 0 ? -params.amountSpecified * 2 : -params.amountSpecified;
        (int256 delta0, int256 delta1) =
            params.zeroForOne ? (params.amountSpecified, out) : (out, params.amountSpecified);
        return (delta0 << 128) | int256(uint256(uint128(uint256(delta1))));
    }

    function sync(address) external {}

    function settle() external payable returns (uint256) {
        return stage.draw(2);
    }

    function take(address, address to, uint256 amount) external {
        payOut(to, amount);
    }

    // Curve, and vaults.
    function exchange(int128, int128, uint256 amount, uint256) external {
        takeIn(amount);
        payOut(msg.sender, amount);
    }

    function deposit(uint256 amount, address receiver) external returns (uint256) {
        takeIn(amount);
        return claim(payOut(receiver, amount), amount);
    }

    function redeem(uint256 amount, address receiver, address) external returns (uint256) {
        stage.act();
        return claim(payOut(receiver, amount), amount);
    }

    /// Nothing, a part, or the whole of what it was allowed.
    function takeIn(uint256 amount) private {
        stage.act();
        uint256 part = stage.draw(6);
        if (part == 0) return;
        if (part == 1) amount /= 2;
        (bool isMoved,) =
            address(tokenIn).call(abi.encodeCall(Token.transferFrom, (msg.sender, address(this), amount)));
        require(isMoved);
    }

    function payOut(address to, uint256 amount) private returns (uint256) {
        uint256 part = stage.draw(5);
        if (part == 0) return 0;
        if (part == 1) amount /= 2;
        if (part == 2) amount += amount / 4;
        // The answer is of no interest to it, nor is the amount to the token, which counts in 128 bits.
        (bool isMoved,) = address(tokenOut).call(abi.encodeCall(Token.transfer, (to, amount)));
        return isMoved ? amount : 0;
    }

    function claim(uint256 paid, uint256 amount) private returns (uint256) {
        uint256 which = stage.draw(8);
        if (which == 0) return amount * 2;
        if (which == 1 && mayClaimHuge) {
            stage.noteHuge();
            return 1 << (128 + stage.draw(127));
        }
        return which < 4 ? amount : paid;
    }
}
