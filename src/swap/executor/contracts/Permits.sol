// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Payments} from "./Payments.sol";

interface PermittedToken {
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

interface Permit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes calldata signature
    ) external;
}

/// Signatures instead of an approval, for exactly the input. The owner is always whoever called: a signature of
/// somebody else is worth nothing here. It stands behind the program, r 32, s 32, v 1.
abstract contract Permits is Payments {
    /// Deployed by CREATE2, so that nothing else can stand at this address.
    Permit2 private constant permit2 = Permit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    uint256 internal constant signatureSize = 65;

    /// Whoever has seen the signature may have handed it to the token already. Then this call fails, and what it
    /// would have allowed is allowed. Whether it is, the transfer tells.
    function allowByPermit(address token, uint256 amount, uint256 deadline, uint256 at) internal {
        bytes memory data = abi.encodeCall(
            PermittedToken.permit,
            (
                msg.sender,
                address(this),
                amount,
                deadline,
                uint8(msg.data[at + 64]),
                bytes32(msg.data[at:at + 32]),
                bytes32(msg.data[at + 32:at + 64])
            )
        );
        assembly ("memory-safe") {
            pop(call(gas(), token, 0, add(data, 32), mload(data), 0, 0))
        }
    }

    /// The nonce is the hash of the program, so that a signature is good for this program, and once.
    function takeByPermit2(address token, uint256 amount, uint256 deadline, uint256 at) internal {
        permit2.permitTransferFrom(
            Permit2.PermitTransferFrom({
                permitted: Permit2.TokenPermissions({token: token, amount: amount}),
                nonce: uint256(keccak256(msg.data[:at])),
                deadline: deadline
            }),
            Permit2.SignatureTransferDetails({to: address(this), requestedAmount: amount}),
            msg.sender,
            msg.data[at:at + signatureSize]
        );
    }
}
