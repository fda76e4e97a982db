// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Token} from "./Token.sol";

interface Callbacks {
    function uniswapV3SwapCallback(int256 delta0, int256 delta1, bytes calldata data) external;
    function pancakeV3SwapCallback(int256 delta0, int256 delta1, bytes calldata data) external;
    function algebraSwapCallback(int256 delta0, int256 delta1, bytes calldata data) external;
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

/// Says yes to everything: a pool, a token and a recipient with which any program would succeed.
contract Yes {
    fallback() external payable {
        assembly {
            mstore(0, 1)
            mstore(32, 1)
            return(0, 64)
        }
    }
}

/// What everybody on the stage knows while one program runs, the random numbers that the hostile draw, and the
/// attacker, whom hostile tokens, pools, hooks and recipients let act in their turn. He is never a pool of a program:
/// whatever he gets the executor to do is a breach.
contract Stage {
    address public executor;
    address public recipient;
    address public integrator;
    Token public tokenOut;
    Token[] private tokens;
    uint256[] private amounts;
    uint256 private randomness;
    Yes private immutable yes = new Yes();

    mapping(address => bool) private isHostile;
    /// What the hostile gave the executor: nobody takes it from anybody if it stays there.
    mapping(address => uint256) public donated;
    uint256 public donatedEther;
    /// What the recipient was paid of the output that no pool of the program paid.
    uint256 public owed;
    bool public isBelievedHuge;
    string public breach;
    uint256 private depth;

    receive() external payable {}

    function set(address executor_, Token[] calldata tokens_, uint256 seed) external {
        (executor, tokens, randomness) = (executor_, tokens_, seed);
        isHostile[address(this)] = true;
    }

    function setProgram(address recipient_, address integrator_, Token tokenOut_, uint256[] calldata amounts_) external {
        (recipient, integrator, tokenOut, amounts) = (recipient_, integrator_, tokenOut_, amounts_);
    }

    function setHostile(address pool) external {
        isHostile[pool] = true;
    }

    function noteHuge() external {
        isBelievedHuge = true;
    }

    function draw(uint256 below) public returns (uint256) {
        randomness = uint256(keccak256(abi.encode(randomness)));
        return randomness % below;
    }

    function noteTransfer(address from, address to, uint256 amount) external {
        if (to == executor && isHostile[from]) donated[msg.sender] += amount;
    }

    /// One act, or none. What it calls may let the attacker act again, though not without end.
    function act() external {
        if (depth == 2) return;
        depth++;
        uint256 which = draw(8);
        if (which == 0) callBack();
        if (which == 1) beginAnother();
        if (which == 2 || which == 3) payWhatIsOwed();
        if (which == 4) {
            uint256 value = draw(1 ether);
            (bool isTaken,) = executor.call{value: value}("");
            if (isTaken) donatedEther += value;
        }
        if (which == 5) {
            Token token = tokens[draw(tokens.length)];
            move(token, executor, draw(1 ether));
        }
        depth--;
    }

    /// As if he were the pool that is expected, with the amounts that the program shows to everybody, and none.
    function callBack() public {
        uint256 amount = draw(3) == 0 || amounts.length == 0 ? 0 : amounts[draw(amounts.length)];
        (int256 delta0, int256 delta1) = draw(2) == 0 ? (int256(amount), int256(0)) : (int256(0), int256(amount));
        Callbacks called = Callbacks(executor);
        uint256 which = draw(4);
        bytes memory forged = abi.encodePacked(recipient, uint8(2), address(this), new bytes(27), address(tokenOut));
        bytes memory data = which == 0
            ? abi.encodeCall(called.uniswapV3SwapCallback, (delta0, delta1, ""))
            : which == 1
                ? abi.encodeCall(called.pancakeV3SwapCallback, (delta0, delta1, ""))
                : which == 2
                    ? abi.encodeCall(called.algebraSwapCallback, (delta0, delta1, ""))
                    : abi.encodeCall(called.unlockCallback, (forged));
        (bool isDone,) = executor.call(data);
        if (isDone) breach = "a stranger called back";
    }

    /// A manager's functions, for the callback above.
    fallback() external payable {
        assembly {
            mstore(0, 0)
            return(0, 32)
        }
    }

    function beginAnother() private {
        bytes memory hop = abi.encodePacked(uint8(0), address(yes), uint16(9970));
        bytes memory header = abi.encodePacked(
            bytes4(0x8119c065), uint8(4), address(yes), address(yes), uint128(0), type(uint40).max
        );
        (bool isDone,) = executor.call(abi.encodePacked(header, uint8(1), uint128(1), hop));
        if (isDone) breach = "a program ran within another";
    }

    /// Whatever the token answers, or that it refuses.
    function move(Token token, address to, uint256 amount) private {
        (bool isMoved,) = address(token).call(abi.encodeCall(Token.transfer, (to, amount)));
        isMoved;
    }

    function payWhatIsOwed() private {
        (uint256 before, uint256 already) = (tokenOut.balanceOf(recipient), owed);
        move(tokenOut, recipient, 1 ether + draw(20 ether));
        uint256 afterwards = tokenOut.balanceOf(recipient);
        // With what he paid meanwhile in turn.
        if (afterwards > before) owed = already + afterwards - before;
    }
}
