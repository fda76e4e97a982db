// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {StandardTransfers} from "./StandardTransfers.sol";
import {TextMetadata} from "./TextMetadata.sol";
import {TokenLedger} from "./TokenLedger.sol";

/// A token that takes a signature for an allowance (EIP-2612), under version 2 as USDC does.
contract PermittedToken is StandardTransfers, TextMetadata {
    string public constant version = "2";
    mapping(address => uint256) public nonces;

    constructor(bytes32 name_, bytes32 symbol_, uint8 decimals_) TokenLedger(name_, symbol_, decimals_) {}

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(this.name())),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, "permit is expired");
        bytes32 permitType =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 permitHash = keccak256(abi.encode(permitType, owner, spender, value, nonces[owner], deadline));
        bytes32 signed = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), permitHash));
        address signer = ecrecover(signed, v, r, s);
        require(signer != address(0) && signer == owner, "permit is not signed by its owner");
        nonces[owner]++;
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }
}
