// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ApprovedSwaps} from "./ApprovedSwaps.sol";
import {ManagedSwaps} from "./ManagedSwaps.sol";
import {PairSwaps} from "./PairSwaps.sol";
import {Permits} from "./Permits.sol";

/// Executes a program: any split of one input over paths of pools, in one transaction, with one minimum.
/// It has no owner, no upgrade and no call whose selector the program chooses. Outside a transaction it
/// holds nothing and may spend nothing but what its caller allowed it.
///
/// The program follows the selector without padding (docs/design/executor.md):
///   header  flags 1, tokenIn 20, tokenOut 20, minimum 16, deadline 5,
///           end of the program 2 and input 16 where a flag says that a signature of 65 follows the program;
///           recipient 20 where a flag says so, else the caller;
///           fee recipient 20 and share 4 where a flag says so
///   path    number of hops 1, amount 16 (0: what is left of the native input)
///   hop     kind and direction 1, pool 20, what the kind needs, the next token 20 unless it is the last
/// No length in it is ever subtracted from: reading past the end gives zeros and moves the cursor past the
/// end, and a program whose cursor does not stop exactly at the end is undone.
abstract contract Executor is PairSwaps, ManagedSwaps, ApprovedSwaps, Permits {
    // Flags of the header.
    uint256 private constant nativeIn = 1;
    uint256 private constant nativeOut = 2;
    /// The last hops pay the recipient. Else they pay this contract, which pays the recipient in the end.
    uint256 private constant direct = 4;
    uint256 private constant otherRecipient = 8;
    uint256 private constant withFee = 16;
    /// The token takes the caller's signature as an allowance (EIP-2612).
    uint256 private constant withPermit = 32;
    /// Permit2 brings the input here by the caller's signature.
    uint256 private constant withPermit2 = 64;

    // The lower bits of a hop's first byte; the highest says that token 0 of the pool goes in.
    uint256 private constant pairHop = 0;
    uint256 private constant concentratedHop = 1;
    uint256 private constant managedHop = 2;
    uint256 private constant solidlyHop = 3;
    uint256 private constant curveHop = 4;
    uint256 private constant vaultHop = 5;
    uint256 private constant zeroForOneBit = 0x80;

    /// V4 hooks with any of these permissions run foreign code in a swap.
    uint256 private constant swapHooks = 0xCC;

    uint256 private constant feeUnit = 1e9;

    /// Only while it runs, from wrapped tokens and V4: what is sent by accident comes back.
    receive() external payable {
        require(load(poolSlot) != 0, "takes no ether");
    }

    function swap() external payable {
        require(load(poolSlot) == 0, "locked");
        store(poolSlot, running);
        uint256 flags = read(4, 1);
        address tokenOut = address(uint160(read(25, 20)));
        uint256 minimum = read(45, 16);
        require(block.timestamp <= read(61, 5), "expired");
        uint256 cursor = 66;
        uint256 end = msg.data.length;
        if (flags & (withPermit | withPermit2) != 0) {
            end = read(66, 2);
            require(end + signatureSize == msg.data.length, "signature");
            cursor = 84;
        }
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
            uint256 paid = runPaths(cursor, end, flags, recipient, tokenOut);
            // What a token on the way made others pay the recipient meanwhile was not paid by the pools.
            require(paid >= minimum, "too little received");
            requireReceived(tokenOut, recipient, before, minimum);
        } else {
            uint256 paths = flags & withFee != 0 ? cursor + 24 : cursor;
            runPaths(paths, end, flags, address(this), tokenOut);
            deliver(cursor, flags, recipient, tokenOut, minimum);
        }
        store(poolSlot, 0);
    }

    /// Runs all paths in their order, and returns what their last pools say that they paid. An input that is here
    /// already, wrapped or brought by Permit2, is used up by them.
    function runPaths(uint256 cursor, uint256 end, uint256 flags, address target, address tokenOut)
        private
        returns (uint256 paid)
    {
        address tokenIn = address(uint160(read(5, 20)));
        uint256 left = takeInput(flags, tokenIn, end);
        bool isHere = flags & (nativeIn | withPermit2) != 0;
        address payer = isHere ? address(0) : msg.sender;
        while (cursor < end) {
            uint256 hops = read(cursor, 1);
            uint256 amount = read(cursor + 1, 16);
            require(hops != 0, "empty path");
            if (isHere) {
                if (amount == 0) amount = left;
                left -= amount;
            }
            (cursor, amount) = runPath(cursor + 17, hops, amount, payer, tokenIn, target, tokenOut);
            paid += amount;
        }
        require(cursor == end, "program");
        require(left == 0, "input left");
    }

    /// What of the input is in this contract, before the first path; none where pools take it from the payer.
    function takeInput(uint256 flags, address tokenIn, uint256 end) private returns (uint256) {
        if (flags & nativeIn != 0) {
            wrap(tokenIn, msg.value);
            return msg.value;
        }
        require(msg.value == 0, "takes no ether");
        if (flags & withPermit2 != 0) {
            takeByPermit2(tokenIn, read(68, 16), read(61, 5), end);
            return balanceOf(tokenIn, address(this));
        }
        if (flags & withPermit != 0) allowByPermit(tokenIn, read(68, 16), read(61, 5), end);
        return 0;
    }

    /// Runs one path: what a hop gives is what the next one takes.
    function runPath(
        uint256 cursor,
        uint256 hops,
        uint256 amount,
        address payer,
        address token,
        address target,
        address tokenOut
    ) private returns (uint256, uint256) {
        // Pairs get their input before the call: from the payer if they come first, else from the hop before.
        if (isPair(cursor)) pay(token, payer, poolOf(cursor), amount);
        while (hops != 0) {
            uint256 hop = cursor;
            uint256 end;
            (end, hops) = endOfHop(hop, hops);
            if (target != address(this)) requireNoForeignCode(hop, end);
            cursor = end;
            address next = tokenOut;
            address to = target;
            if (hops != 0) {
                next = address(uint160(read(cursor, 20)));
                cursor += 20;
                to = isPair(cursor) ? poolOf(cursor) : address(this);
            }
            amount = runHop(hop, end, amount, payer, token, next, to);
            payer = address(0);
            token = next;
        }
        return (cursor, amount);
    }

    function runHop(
        uint256 hop,
        uint256 end,
        uint256 amount,
        address payer,
        address token,
        address next,
        address to
    ) private returns (uint256) {
        uint256 head = read(hop, 1);
        uint256 kind = head & ~zeroForOneBit;
        bool zeroForOne = head & zeroForOneBit != 0;
        address pool = poolOf(hop);
        if (kind == concentratedHop) return swapConcentrated(pool, zeroForOne, amount, payer, token, to);
        if (kind == pairHop) return swapPair(pool, zeroForOne, read(hop + 21, 2), token, to);
        if (kind == solidlyHop) return swapPair(pool, zeroForOne, 0, token, to);
        if (kind == managedHop) return swapManaged(pool, msg.data[hop:end], amount, payer, token, next, to);
        if (payer != address(0)) pay(token, payer, address(this), amount);
        amount = kind == curveHop
            ? swapCurve(pool, read(hop + 21, 2), amount, token, next)
            : swapVault(pool, amount, token);
        if (to != address(this)) pay(next, address(0), to, amount);
        return amount;
    }

    /// Where a hop ends and how many are left after it. V4 hops in a row are run as one.
    function endOfHop(uint256 cursor, uint256 hops) private pure returns (uint256, uint256) {
        uint256 kind = kindOf(cursor);
        hops--;
        if (kind == pairHop || kind == curveHop) return (cursor + 23, hops);
        if (kind != managedHop) {
            require(kind <= vaultHop, "kind");
            return (cursor + 21, hops);
        }
        uint256 end = cursor + managedHopSize;
        while (hops != 0 && isSameRun(cursor, end + 20)) {
            cursor = end + 20;
            end = cursor + managedHopSize;
            hops--;
        }
        return (end, hops);
    }

    /// Whether the next hop is in the same manager and takes the currency, native or wrapped, that this one gives.
    function isSameRun(uint256 hop, uint256 next) private pure returns (bool) {
        bool givesNative = read(hop + 21, 1) & nativeCurrencyOut != 0;
        bool takesNative = read(next + 21, 1) & nativeCurrencyIn != 0;
        return kindOf(next) == managedHop && poolOf(next) == poolOf(hop) && givesNative == takesNative;
    }

    /// Between the two readings of the recipient's balance a pool that calls foreign code could trigger a payment that
    /// was owed to them anyway, and say that it paid that: such a pool must pay this contract.
    function requireNoForeignCode(uint256 hop, uint256 end) private pure {
        uint256 kind = kindOf(hop);
        require(kind < curveHop, "gather");
        if (kind != managedHop) return;
        for (; hop < end; hop += managedHopSize + 20) require(read(hop + 28, 20) & swapHooks == 0, "gather");
    }

    function kindOf(uint256 hop) private pure returns (uint256) {
        return read(hop, 1) & ~zeroForOneBit;
    }

    function isPair(uint256 hop) private pure returns (bool) {
        uint256 kind = kindOf(hop);
        return kind == pairHop || kind == solidlyHop;
    }

    function poolOf(uint256 hop) private pure returns (address) {
        return address(uint160(read(hop + 1, 20)));
    }

    /// Hands out what was gathered: the fee of the integrator, and the rest to the recipient. Of a token counts what
    /// arrives, since a token may tax this transfer too; of ether all that is sent arrives.
    function deliver(uint256 cursor, uint256 flags, address recipient, address tokenOut, uint256 minimum) private {
        bool isNative = flags & nativeOut != 0;
        uint256 amount = balanceOf(tokenOut, address(this));
        if (isNative) unwrap(tokenOut, amount);
        if (flags & withFee != 0) {
            address feeRecipient = address(uint160(read(cursor, 20)));
            // What is left here is anybody's.
            require(feeRecipient != address(this), "recipient");
            uint256 fee = (amount * read(cursor + 20, 4)) / feeUnit;
            amount -= fee;
            send(tokenOut, isNative, feeRecipient, fee);
        }
        require(amount >= minimum, "too little received");
        uint256 before = isNative ? 0 : balanceOf(tokenOut, recipient);
        send(tokenOut, isNative, recipient, amount);
        if (!isNative) requireReceived(tokenOut, recipient, before, minimum);
    }

    function requireReceived(address token, address recipient, uint256 before, uint256 minimum) private view {
        require(balanceOf(token, recipient) >= before + minimum, "too little received");
    }

    /// The next bytes of the program as a number. Past the end there are zeros.
    function read(uint256 cursor, uint256 size) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(sub(256, shl(3, size)), calldataload(cursor))
        }
    }
}
