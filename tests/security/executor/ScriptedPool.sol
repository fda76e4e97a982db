// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// A contract that does what it is told when it is called: any calls, then any answer. It stands for whatever
/// an attacker could deploy as a pool, a manager, a vault or a token.
contract ScriptedPool {
    struct Step {
        address target;
        bytes data;
        /// Whether what it does is undone when the call fails.
        bool mustSucceed;
    }

    mapping(bytes4 selector => Step[]) private steps;
    mapping(bytes4 selector => bytes) private answers;
    bool[] public outcomes;

    function script(bytes4 selector, Step[] calldata todo, bytes calldata answer) external {
        delete steps[selector];
        for (uint256 i; i < todo.length; i++) steps[selector].push(todo[i]);
        answers[selector] = answer;
    }

    function outcomeCount() external view returns (uint256) {
        return outcomes.length;
    }

    receive() external payable {}

    fallback() external payable {
        Step[] storage todo = steps[msg.sig];
        for (uint256 i; i < todo.length; i++) {
            (bool succeeded, bytes memory returned) = todo[i].target.call(todo[i].data);
            if (!succeeded && todo[i].mustSucceed) {
                assembly {
                    revert(add(returned, 32), mload(returned))
                }
            }
            outcomes.push(succeeded);
        }
        bytes memory answer = answers[msg.sig];
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}
