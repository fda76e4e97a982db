// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

interface Token {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

interface Pool {
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256, int256);
}

interface Pair {
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

/// The least that a swap in one pool can cost: pool and token are in the code, and nothing is checked. Anyone can
/// spend an allowance that this contract has.
contract Floor {
    address private immutable pool;
    address private immutable token;
    bool private immutable zeroForOne;

    constructor(address pool_, address token_, bool zeroForOne_) {
        (pool, token, zeroForOne) = (pool_, token_, zeroForOne_);
    }

    function swapConcentrated(uint256 amount) external {
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        Pool(pool).swap(msg.sender, zeroForOne, int256(amount), limit, abi.encode(msg.sender));
    }

    function uniswapV3SwapCallback(int256 delta0, int256 delta1, bytes calldata data) external {
        Token(token).transferFrom(abi.decode(data, (address)), pool, uint256(zeroForOne ? delta0 : delta1));
    }

    function swapPair(uint256 amount) external {
        Token(token).transferFrom(msg.sender, pool, amount);
        (uint256 reserveIn, uint256 reserveOut,) = Pair(pool).getReserves();
        if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        uint256 out = (amount * 997 * reserveOut) / (reserveIn * 1000 + amount * 997);
        Pair(pool).swap(zeroForOne ? 0 : out, zeroForOne ? out : 0, msg.sender, "");
    }
}
