// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Executor} from "./Executor.sol";

/// For chains with transient storage (EIP-1153): nothing is ever written to storage.
contract TransientExecutor is Executor {
    function load(uint256 slot) internal view override returns (uint256 value) {
        assembly ("memory-safe") {
            value := tload(slot)
        }
    }

    function store(uint256 slot, uint256 value) internal override {
        assembly ("memory-safe") {
            tstore(slot, value)
        }
    }
}
