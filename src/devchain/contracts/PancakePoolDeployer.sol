// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Deploys the pools of a PancakeSwap V3 factory at the addresses that follow from their tokens and fee. Its
/// package has the code of factory and pool, not of this: the pool's comes with the constructor.
contract PancakePoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    /// What a pool asks for while it is created.
    Parameters public parameters;
    bytes private poolCode;

    constructor(bytes memory poolCode_) {
        poolCode = poolCode_;
    }

    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        external
        returns (address pool)
    {
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes memory code = poolCode;
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        assembly {
            pool := create2(0, add(code, 32), mload(code), salt)
            if iszero(pool) { revert(0, 0) }
        }
        delete parameters;
    }
}
