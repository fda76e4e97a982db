// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Executor} from "./Executor.sol";

/// For chains without transient storage. Slots hold one more than their value, since it is much cheaper to
/// change a slot that is not zero.
contract StorageExecutor is Executor {
    constructor() {
        for (uint256 slot; slot < 3; slot++) store(slot, 0);
    }

    function load(uint256 slot) internal view override returns (uint256 value) {
        assembly ("memory-safe") {
            value := sub(sload(slot), 1)
        }
    }

    function store(uint256 slot, uint256 value) internal override {
        assembly ("memory-safe") {
            sstore(slot, add(value, 1))
        }
    }
}
