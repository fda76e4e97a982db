// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Executes a program: any split of one input over paths of pools, in one transaction, with one minimum.
/// It has no owner, no upgrade and no call whose selector the program chooses. Outside a transaction it
/// holds nothing and may spend nothing but what its caller allowed it.
///
/// The program follows the selector without padding (docs/design/executor.md):
///   header  flags 1, tokenIn 20, tokenOut 20, minimum 16, deadline 5,
///           recipient 20 where a flag says so, else the caller;
///           fee recipient 20 and share 4 where a flag says so
///   path    number of hops 1, amount 16 (0: what is left of the native input)
///   hop     kind and direction 1, pool 20, what the kind needs, the next token 20 unless it is the last
/// No length in it is ever subtracted from: reading past the end gives zeros and moves the cursor past the
/// end, and a program whose cursor does not stop exactly at the end is undone.
abstract contract Executor {
    // Flags of the header.
    uint256 internal constant nativeIn = 1;
    uint256 internal constant nativeOut = 2;
    /// The last hops pay the recipient, at whom the minimum is measured. Else they pay this contract.
    uint256 internal constant direct = 4;
    uint256 internal constant otherRecipient = 8;
    uint256 internal constant withFee = 16;

    // The lower bits of a hop's first byte; the highest says that token 0 of the pool goes in.
    uint256 internal constant pairHop = 0;
    uint256 internal constant concentratedHop = 1;
    uint256 private constant zeroForOneBit = 0x80;

    uint256 private constant feeUnit = 1e9;
    uint256 private constant pairFeeUnit = 10_000;

    // Just inside the range of prices that a concentrated pool accepts as a limit.
    uint160 private constant lowestLimit = 4295128740;
    uint160 private constant highestLimit = 1461446703485210103287273052203988822378723970341;

    // Slots that live as long as one transaction. The payer's is the lock.
    uint256 private constant payerSlot = 0;
    uint256 private constant poolSlot = 1;
    uint256 private constant tokenSlot = 2;
    uint256 private constant amountSlot = 3;
    uint256 private constant fromPayer = 1 << 160;

    function load(uint256 slot) internal view virtual returns (uint256 value);
    function store(uint256 slot, uint256 value) internal virtual;

    /// Only while it runs, from the wrapped token: what is sent by accident comes back.
    receive() external payable {
        require(load(payerSlot) != 0, "takes no ether");
    }

    function swap() external payable {
        require(load(payerSlot) == 0, "locked");
        store(payerSlot, uint160(msg.sender));
        uint256 flags = read(4, 1);
        address tokenOut = address(uint160(read(25, 20)));
        uint256 minimum = read(45, 16);
        require(block.timestamp <= read(61, 5), "expired");
        uint256 cursor = 66;
        address recipient = msg.sender;
        if (flags & otherRecipient != 0) {
            recipient = address(uint160(read(cursor, 20)));
            // What is left here is anybody's.
            require(recipient != address(this), "recipient");
            cursor += 20;
        }
        if (flags & direct != 0) {
            require(flags & (nativeOut | withFee) == 0, "flags");
            uint256 before = balanceOf(tokenOut, recipient);
            runPaths(cursor, flags & nativeIn != 0, recipient, tokenOut);
            require(balanceOf(tokenOut, recipient) >= before + minimum, "too little received");
        } else {
            uint256 paths = flags & withFee != 0 ? cursor + 24 : cursor;
            runPaths(paths, flags & nativeIn != 0, address(this), tokenOut);
            deliver(cursor, flags, recipient, tokenOut, minimum);
        }
        store(payerSlot, 0);
    }

    function uniswapV3SwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        payPool(delta0, delta1);
    }

    function pancakeV3SwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        payPool(delta0, delta1);
    }

    function algebraSwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        payPool(delta0, delta1);
    }

    /// Runs all paths in their order. A native input is wrapped at once and used up by them.
    function runPaths(uint256 cursor, bool isNative, address target, address tokenOut) private {
        address tokenIn = address(uint160(read(5, 20)));
        uint256 left = msg.value;
        if (isNative) wrap(tokenIn, left);
        else require(left == 0, "takes no ether");
        uint256 fromWhom = isNative ? 0 : fromPayer;
        while (cursor < msg.data.length) {
            uint256 hops = read(cursor, 1);
            uint256 amount = read(cursor + 1, 16);
            require(hops != 0, "empty path");
            if (isNative) {
                if (amount == 0) amount = left;
                left -= amount;
            }
            cursor = runPath(cursor + 17, hops, amount, fromWhom, tokenIn, target, tokenOut);
        }
        require(cursor == msg.data.length, "program");
        require(!isNative || left == 0, "ether left");
    }

    /// Runs one path: what a hop gives is what the next one takes.
    function runPath(
        uint256 cursor,
        uint256 hops,
        uint256 amount,
        uint256 fromWhom,
        address token,
        address target,
        address tokenOut
    ) private returns (uint256) {
        // Whether the input of the next hop lies in its pool already.
        bool isPaid;
        while (hops != 0) {
            uint256 head = read(cursor, 1);
            address pool = address(uint160(read(cursor + 1, 20)));
            uint256 kind = head & ~zeroForOneBit;
            uint256 hop = cursor;
            cursor = endOfHop(cursor, kind);
            address next = tokenOut;
            address to = target;
            bool paysPair;
            if (--hops != 0) {
                next = address(uint160(read(cursor, 20)));
                cursor += 20;
                paysPair = read(cursor, 1) & ~zeroForOneBit == pairHop;
                to = paysPair ? address(uint160(read(cursor + 1, 20))) : address(this);
            }
            if (kind == concentratedHop) {
                amount = swapConcentrated(pool, head & zeroForOneBit != 0, amount, fromWhom, token, to);
            } else {
                if (!isPaid) pay(token, fromWhom, pool, amount);
                amount = swapPair(pool, head & zeroForOneBit != 0, read(hop + 21, 2), token, to);
            }
            isPaid = paysPair;
            fromWhom = 0;
            token = next;
        }
        return cursor;
    }

    function endOfHop(uint256 cursor, uint256 kind) private pure returns (uint256) {
        if (kind == concentratedHop) return cursor + 21;
        require(kind == pairHop, "kind");
        return cursor + 23;
    }

    /// A pair gets its input before the call. What arrived is measured, so that taxed tokens work.
    function swapPair(address pool, bool zeroForOne, uint256 kept, address token, address to)
        private
        returns (uint256 amountOut)
    {
        (uint256 reserveIn, uint256 reserveOut) = reservesOf(pool);
        if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        uint256 input = (balanceOf(token, pool) - reserveIn) * kept;
        amountOut = (input * reserveOut) / (reserveIn * pairFeeUnit + input);
        (uint256 out0, uint256 out1) = zeroForOne ? (uint256(0), amountOut) : (amountOut, uint256(0));
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x022c0d9f)) // swap(uint256,uint256,address,bytes)
            mstore(add(data, 4), out0)
            mstore(add(data, 36), out1)
            mstore(add(data, 68), to)
            mstore(add(data, 100), 128)
            mstore(add(data, 132), 0)
            if iszero(call(gas(), pool, 0, data, 164, 0, 0)) {
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
        }
    }

    /// A concentrated pool asks for its input in a callback: once, and exactly for what is expected.
    function swapConcentrated(
        address pool,
        bool zeroForOne,
        uint256 amount,
        uint256 fromWhom,
        address token,
        address to
    ) private returns (uint256 amountOut) {
        // A pool that claims to have given more than exists would turn the sign of the next amount.
        require(amount <= type(uint128).max, "amount");
        store(amountSlot, amount);
        store(tokenSlot, uint160(token));
        store(poolSlot, uint160(pool) | fromWhom);
        uint160 limit = zeroForOne ? lowestLimit : highestLimit;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x128acb08)) // swap(address,bool,int256,uint160,bytes)
            mstore(add(data, 4), to)
            mstore(add(data, 36), zeroForOne)
            mstore(add(data, 68), amount)
            mstore(add(data, 100), limit)
            mstore(add(data, 132), 160)
            mstore(add(data, 164), 0)
            if iszero(call(gas(), pool, 0, data, 196, 0, 64)) {
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
            if lt(returndatasize(), 64) { revert(0, 0) }
            amountOut := sub(0, mload(shl(5, zeroForOne)))
        }
        require(load(poolSlot) == 0, "pool took nothing");
    }

    /// The payer is the caller of the program, whatever a pool says; a pool is paid once and no more than
    /// the program gives it.
    function payPool(int256 delta0, int256 delta1) private {
        uint256 expected = load(poolSlot);
        require(expected & ~fromPayer == uint160(msg.sender), "not the pool");
        store(poolSlot, 0);
        uint256 amount = load(amountSlot);
        require(uint256(delta0 > 0 ? delta0 : delta1) == amount, "not the amount");
        pay(address(uint160(load(tokenSlot))), expected & fromPayer, msg.sender, amount);
    }

    /// Hands out what was gathered: the fee of the integrator, and the rest to the recipient.
    function deliver(uint256 cursor, uint256 flags, address recipient, address tokenOut, uint256 minimum) private {
        bool isNative = flags & nativeOut != 0;
        uint256 amount = balanceOf(tokenOut, address(this));
        if (isNative) unwrap(tokenOut, amount);
        if (flags & withFee != 0) {
            address feeRecipient = address(uint160(read(cursor, 20)));
            uint256 fee = (amount * read(cursor + 20, 4)) / feeUnit;
            amount -= fee;
            send(tokenOut, isNative, feeRecipient, fee);
        }
        require(amount >= minimum, "too little received");
        send(tokenOut, isNative, recipient, amount);
    }

    function send(address token, bool isNative, address to, uint256 amount) private {
        if (isNative) {
            (bool isTaken,) = to.call{value: amount}("");
            require(isTaken, "recipient refuses ether");
        } else {
            pay(token, 0, to, amount);
        }
    }

    /// Moves tokens of the caller or of this contract. Tokens that answer nothing are believed, like everywhere.
    function pay(address token, uint256 fromWhom, address to, uint256 amount) private {
        address payer = fromWhom == 0 ? address(0) : address(uint160(load(payerSlot)));
        bool isMoved;
        assembly ("memory-safe") {
            let data := mload(0x40)
            switch payer
            case 0 {
                mstore(data, shl(224, 0xa9059cbb)) // transfer(address,uint256)
                mstore(add(data, 4), to)
                mstore(add(data, 36), amount)
                isMoved := call(gas(), token, 0, data, 68, 0, 32)
            }
            default {
                mstore(data, shl(224, 0x23b872dd)) // transferFrom(address,address,uint256)
                mstore(add(data, 4), payer)
                mstore(add(data, 36), to)
                mstore(add(data, 68), amount)
                isMoved := call(gas(), token, 0, data, 100, 0, 32)
            }
            if iszero(isMoved) {
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
            if returndatasize() { isMoved := and(gt(returndatasize(), 31), eq(mload(0), 1)) }
        }
        require(isMoved, "token refuses");
    }

    function wrap(address wrapped, uint256 amount) private {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0xd0e30db0)) // deposit()
            if iszero(call(gas(), wrapped, amount, 0, 4, 0, 0)) { revert(0, 0) }
        }
    }

    function unwrap(address wrapped, uint256 amount) private {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0x2e1a7d4d)) // withdraw(uint256)
            mstore(4, amount)
            if iszero(call(gas(), wrapped, 0, 0, 36, 0, 0)) { revert(0, 0) }
        }
    }

    function balanceOf(address token, address holder) private view returns (uint256 amount) {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0x70a08231)) // balanceOf(address)
            mstore(4, holder)
            if iszero(staticcall(gas(), token, 0, 36, 0, 32)) { revert(0, 0) }
            if lt(returndatasize(), 32) { revert(0, 0) }
            amount := mload(0)
        }
    }

    function reservesOf(address pair) private view returns (uint256 reserve0, uint256 reserve1) {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0x0902f1ac)) // getReserves()
            if iszero(staticcall(gas(), pair, 0, 4, 0, 64)) { revert(0, 0) }
            if lt(returndatasize(), 64) { revert(0, 0) }
            reserve0 := mload(0)
            reserve1 := mload(32)
        }
    }

    /// The next bytes of the program as a number. Past the end there are zeros.
    function read(uint256 cursor, uint256 size) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(sub(256, shl(3, size)), calldataload(cursor))
        }
    }
}
