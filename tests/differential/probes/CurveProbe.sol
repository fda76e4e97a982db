// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ProbeCoin} from "ProbeCoin.sol";

interface IStableSwap {
    function add_liquidity(uint256[4] calldata amounts, uint256 leastMinted) external;
    function exchange(int128 sold, int128 bought, uint256 amount, uint256 leastBought) external;
    function balances(int128 coin) external view returns (uint256);
    function commit_new_parameters(uint256 amplification, uint256 fee, uint256 adminFee) external;
    function apply_new_parameters() external;
}

/// The share of a pool, as far as it is asked for when liquidity comes.
contract PoolShare {
    uint256 public totalSupply;

    function mint(address, uint256 amount) external returns (bool) {
        totalSupply += amount;
        return true;
    }
}

/// Owns pools of the four coins that the compiled `StableSwap` is for: 18, 6, 6 and 18 decimals.
contract CurveProbe {
    struct Offer {
        uint8 sold;
        uint8 bought;
        uint256 amountIn;
    }

    struct Outcome {
        bool refused;
        uint256 amountOut;
        uint256[4] balances;
    }

    error NoOutput();

    ProbeCoin[4] private coins;
    IStableSwap[] private pools;

    constructor() {
        coins = [new ProbeCoin(18), new ProbeCoin(6), new ProbeCoin(6), new ProbeCoin(18)];
    }

    /// A pool whose parameters hold three days later.
    function create(bytes calldata creationCode, uint256 amplification, uint256 fee, uint256 adminFee) external {
        PoolShare share = new PoolShare();
        bytes memory code = bytes.concat(creationCode, abi.encode(coins, coins, share, amplification, fee));
        IStableSwap pool;
        assembly {
            pool := create(0, add(code, 32), mload(code))
        }
        pool.commit_new_parameters(amplification, fee, adminFee);
        pools.push(pool);
    }

    function settle() external {
        for (uint256 i = 0; i < pools.length; i++) pools[i].apply_new_parameters();
    }

    /// Fills one of the pools and exchanges in it, all in one call.
    function run(uint256 index, uint256[4] calldata amounts, Offer[] calldata offers)
        external
        returns (Outcome[] memory outcomes)
    {
        IStableSwap pool = pools[index];
        for (uint256 i = 0; i < 4; i++) coins[i].give(address(this), amounts[i]);
        pool.add_liquidity(amounts, 0);
        outcomes = new Outcome[](offers.length);
        for (uint256 i = 0; i < offers.length; i++) {
            try this.swap(pool, offers[i]) returns (uint256 amountOut) {
                outcomes[i].amountOut = amountOut;
            } catch {
                outcomes[i].refused = true;
            }
            for (uint256 coin = 0; coin < 4; coin++) {
                outcomes[i].balances[coin] = pool.balances(int128(int256(coin)));
            }
        }
    }

    function swap(IStableSwap pool, Offer calldata offer) external returns (uint256 amountOut) {
        coins[offer.sold].give(address(this), offer.amountIn);
        uint256 before = coins[offer.bought].balanceOf(address(this));
        pool.exchange(int128(uint128(offer.sold)), int128(uint128(offer.bought)), offer.amountIn, 0);
        amountOut = coins[offer.bought].balanceOf(address(this)) - before;
        if (amountOut == 0) revert NoOutput();
    }
}
