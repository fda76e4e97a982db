// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

interface IToken {
    function balanceOf(address holder) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
}

/// Runs many programs of an executor in one call, each from the same state, and tells what each left behind.
/// It is the payer: its code stands at an account that has allowed the executors, and Permit2, everything.
contract ProgramPayer {
    struct Run {
        address executor;
        uint256 value;
        bytes program;
    }

    /// Whose balances are read, and of what; whose allowances by the executor, beside all of these tokens.
    struct Look {
        address[] tokens;
        address[] holders;
        address[] spenders;
    }

    /// Enough for every honest program; a pool whose price runs to its end takes much more.
    uint256 private constant gasOfProgram = 5_000_000;

    receive() external payable {}

    /// Permit2 asks a contract whether a signature is its own (EIP-1271): whatever this one is handed, it has signed.
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }

    function runAll(Run[] calldata runs, Look calldata look) external returns (uint256[][] memory outcomes) {
        outcomes = new uint256[][](runs.length);
        for (uint256 i; i < runs.length; i++) {
            try this.run(runs[i], look) {}
            catch (bytes memory outcome) {
                outcomes[i] = abi.decode(outcome, (uint256[]));
            }
        }
    }

    /// Is always undone: what it found is what it reverts with.
    function run(Run calldata one, Look calldata look) external {
        bool hasSucceeded;
        // Without a program nothing is run, and the state is told as it is.
        if (one.program.length > 0) {
            (hasSucceeded,) = one.executor.call{value: one.value, gas: gasOfProgram}(one.program);
        }
        bytes memory found = abi.encode(figures(one.executor, hasSucceeded, look));
        assembly {
            revert(add(found, 32), mload(found))
        }
    }

    function figures(address executor, bool hasSucceeded, Look calldata look)
        private
        returns (uint256[] memory found)
    {
        uint256 columns = look.tokens.length + 1;
        found = new uint256[](2 + look.holders.length * columns + look.spenders.length * look.tokens.length);
        uint256 at;
        found[at++] = hasSucceeded ? 1 : 0;
        for (uint256 i; i < look.holders.length; i++) {
            found[at++] = look.holders[i].balance;
            for (uint256 k; k < look.tokens.length; k++) {
                found[at++] = IToken(look.tokens[k]).balanceOf(look.holders[i]);
            }
        }
        for (uint256 i; i < look.spenders.length; i++) {
            for (uint256 k; k < look.tokens.length; k++) {
                found[at++] = IToken(look.tokens[k]).allowance(executor, look.spenders[i]);
            }
        }
        // It takes ether only while a program runs.
        (bool isRunning,) = executor.call{value: 1}("");
        found[at] = isRunning ? 1 : 0;
    }
}
