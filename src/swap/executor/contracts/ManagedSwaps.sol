// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ConcentratedSwaps} from "./ConcentratedSwaps.sol";

interface PoolManager {
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

    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData) external returns (int256);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

/// Pools of Uniswap V4, which all live in one manager. Hops in a row share one `unlock`.
///
/// A hop is kind 1, manager 20, native currencies 1, fee 3, tick spacing 3, hooks 20, next token 20.
abstract contract ManagedSwaps is ConcentratedSwaps {
    // The pool's currency is the native one where the program says its wrapped form.
    uint256 internal constant nativeCurrencyIn = 1;
    uint256 internal constant nativeCurrencyOut = 2;
    uint256 internal constant managedHopSize = 48;

    /// `hops` are the bytes of the program without the last token. Token and amount of the input are kept in
    /// slots: a manager that changes what it hands back gets no more than that, and the minimum tells.
    function swapManaged(
        address manager,
        bytes calldata hops,
        uint256 amount,
        address payer,
        address token,
        address tokenOut,
        address to
    ) internal returns (uint256 amountOut) {
        expectCallback(manager, payer, token, amount);
        bytes memory answer = PoolManager(manager).unlock(abi.encodePacked(to, hops, tokenOut));
        requireCalledBack();
        amountOut = abi.decode(answer, (uint256));
        uint256 flags = uint8(hops[hops.length - managedHopSize + 21]);
        if (flags & nativeCurrencyOut != 0) {
            wrap(tokenOut, amountOut);
            if (to != address(this)) pay(tokenOut, address(0), to, amountOut);
        }
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (address payer, address token, uint256 amount) = acceptCallback();
        settle(payer, token, amount, uint8(data[41]) & nativeCurrencyIn != 0);
        address currency;
        for (uint256 at = 20; at < data.length; at += managedHopSize + 20) {
            bytes calldata hop = data[at:at + managedHopSize + 20];
            uint256 flags = uint8(hop[21]);
            address next = address(bytes20(hop[48:]));
            currency = flags & nativeCurrencyOut != 0 ? address(0) : next;
            amount = swapInManager(flags & nativeCurrencyIn != 0 ? address(0) : token, currency, hop, amount);
            token = next;
        }
        address to = currency == address(0) ? address(this) : address(bytes20(data));
        PoolManager(msg.sender).take(currency, to, amount);
        return abi.encode(amount);
    }

    function settle(address payer, address token, uint256 amount, bool isNative) private {
        if (isNative) {
            if (payer != address(0)) pay(token, payer, address(this), amount);
            unwrap(token, amount);
            PoolManager(msg.sender).settle{value: amount}();
        } else {
            PoolManager(msg.sender).sync(token);
            pay(token, payer, msg.sender, amount);
            PoolManager(msg.sender).settle();
        }
    }

    function swapInManager(address currencyIn, address currencyOut, bytes calldata hop, uint256 amount)
        private
        returns (uint256)
    {
        bool zeroForOne = currencyIn < currencyOut;
        int256 delta = PoolManager(msg.sender).swap(
            PoolManager.PoolKey({
                currency0: zeroForOne ? currencyIn : currencyOut,
                currency1: zeroForOne ? currencyOut : currencyIn,
                fee: uint24(bytes3(hop[22:])),
                tickSpacing: int24(uint24(bytes3(hop[25:]))),
                hooks: address(bytes20(hop[28:]))
            }),
            PoolManager.SwapParams({
                zeroForOne: zeroForOne,
                amountSpecified: -int256(amount),
                sqrtPriceLimitX96: zeroForOne ? lowestLimit : highestLimit
            }),
            ""
        );
        (int256 given, int256 taken) = (int256(int128(delta >> 128)), int256(int128(delta)));
        if (!zeroForOne) (given, taken) = (taken, given);
        require(given == -int256(amount) && taken >= 0, "not the amount");
        return uint256(taken);
    }
}
