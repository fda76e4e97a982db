// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {HonestManager} from "./HonestPool.sol";
import {Program, Programs, Wallet} from "./Program.sol";
import {Stage} from "./Stage.sol";
import {Manner, Token, Vault} from "./Token.sol";

interface Vm {
    function deal(address account, uint256 amount) external;
    function prank(address sender) external;
    function etch(address account, bytes calldata code) external;
    function load(address account, bytes32 slot) external view returns (bytes32);
    function envBytes(string calldata name) external view returns (bytes memory);
    function envOr(string calldata name, uint256 otherwise) external view returns (uint256);
}

/// What everybody holds: ether, then shares of each token.
struct Holdings {
    uint256[] payer;
    uint256[] victim;
    uint256[] recipient;
    uint256[] integrator;
    uint256[] executor;
}

/// Runs random programs by both builds of the executor, each from the same state, and judges what they leave behind.
contract ExecutorFuzz is Programs {
    /// What a program came to; every run is undone by it.
    error Ran(bool succeeded, uint256 kinds, bool hasHostile, bytes32 left);

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant plenty = 1e30;
    /// Answers what the first three slots of its transient storage hold.
    bytes private constant slotReader = hex"5f5c5f5260015c60205260025c60405260605ff3";

    address[2] private executors;

    function setUp() public {
        vm.deal(address(this), 1e40);
        executors = [deploy(vm.envBytes("EXECUTOR_TRANSIENT")), deploy(vm.envBytes("EXECUTOR_STORAGE"))];
        stage = new Stage();
        manager = new HonestManager(stage);
        wallet = new Wallet(stage);
        tokens.push(new Token(stage, Manner.plain));
        tokens.push(new Token(stage, Manner.plain));
        tokens.push(new Token(stage, Manner.plain));
        tokens.push(new Token(stage, Manner.silent));
        tokens.push(new Vault(stage, tokens[1]));
        for (uint256 manner = uint256(Manner.taxed); manner <= uint256(Manner.calling); manner++) {
            tokens.push(new Token(stage, Manner(manner)));
        }
        for (uint256 i; i < tokens.length; i++) {
            address[4] memory holders = [payer, victim, address(stage), address(manager)];
            for (uint256 k; k < 4; k++) tokens[i].mint(holders[k], plenty);
            for (uint256 k; k < 2; k++) {
                vm.prank(payer);
                tokens[i].approve(executors[k], type(uint256).max);
                vm.prank(victim);
                tokens[i].approve(executors[k], type(uint256).max);
            }
            vm.deal(address(tokens[i]), plenty);
        }
        tokens[1].mint(address(tokens[4]), plenty);
        vm.deal(address(stage), plenty);
        vm.deal(address(manager), plenty);
        vm.deal(payer, plenty);
        vm.deal(victim, plenty);
    }

    function deploy(bytes memory code) private returns (address made) {
        assembly ("memory-safe") {
            made := create(0, add(code, 32), mload(code))
        }
        require(made != address(0), "not deployed");
    }

    function testFuzz_programs(uint256 one, uint256 other) public {
        attempt(uint256(keccak256(abi.encode(one, other))));
    }

    /// The program of one seed alone, to be looked at.
    function test_seed() public {
        attempt(vm.envOr("SEED", uint256(1)));
    }

    /// That the programs above are of all kinds, and enough of them succeed.
    function test_variety() public {
        uint256 succeeded;
        uint256 withHostile;
        uint256[7] memory ofKind;
        uint256 count = 400;
        for (uint256 seed; seed < count; seed++) {
            (bool isDone, uint256 kinds, bool hasHostile) = attempt(seed);
            if (!isDone) continue;
            succeeded++;
            if (hasHostile) withHostile++;
            for (uint256 kind; kind < 7; kind++) if (kinds >> kind & 1 != 0) ofKind[kind]++;
        }
        require(succeeded > count / 4, "too few programs succeed");
        require(withHostile > count / 50, "too few hostile programs succeed");
        for (uint256 kind; kind < 6; kind++) require(ofKind[kind] > count / 100, "a kind of pool never succeeds");
        require(ofKind[6] == 0, "it ran an unknown kind of pool");
    }

    function attempt(uint256 seed) private returns (bool succeeded, uint256 kinds, bool hasHostile) {
        bytes32 left;
        (succeeded, kinds, hasHostile, left) = outcome(0, seed);
        // A broken build is judged alone.
        if (vm.envOr("EXECUTOR_BUILDS", uint256(2)) == 1) return (succeeded, kinds, hasHostile);
        (bool also,,, bytes32 alsoLeft) = outcome(1, seed);
        require(succeeded == also && left == alsoLeft, "the builds differ");
    }

    function outcome(uint256 build, uint256 seed) private returns (bool, uint256, bool, bytes32) {
        bytes memory code = executors[build].code;
        try this.run(build, seed) {}
        catch (bytes memory found) {
            // An account whose etched code is undone has none.
            vm.etch(executors[build], code);
            if (bytes4(found) != Ran.selector) {
                assembly ("memory-safe") {
                    revert(add(found, 32), mload(found))
                }
            }
            assembly ("memory-safe") {
                mstore(add(found, 4), sub(mload(found), 4))
                found := add(found, 4)
            }
            return abi.decode(found, (bool, uint256, bool, bytes32));
        }
        revert("was not undone");
    }

    function run(uint256 build, uint256 seed) external {
        address executor = executors[build];
        stage.set(executor, tokens, seed);
        Program memory program = generate(executor, seed);
        Holdings memory before = look(executor, program);
        uint256 balance = balanceOf(program);
        vm.prank(payer);
        (bool succeeded,) = executor.call{value: program.value, gas: 30_000_000}(program.data);
        Holdings memory left = look(executor, program);
        judge(executor, program, succeeded, before, left);
        if (succeeded && program.isIntact) judgePayment(program, before, left, balance);
        judgeRest(build, executor);
        bytes32 digest = keccak256(abi.encode(left.payer, left.victim, left.recipient, left.integrator, left.executor));
        revert Ran(succeeded, program.kinds, program.hasHostile, digest);
    }

    /// What the recipient has of the output.
    function balanceOf(Program memory program) private view returns (uint256) {
        address holder = program.recipient;
        return program.flags & nativeOut != 0 ? holder.balance : program.tokenOut.balanceOf(holder);
    }

    function look(address executor, Program memory program) private view returns (Holdings memory) {
        return Holdings(
            holdings(payer), holdings(victim), holdings(program.recipient), holdings(integrator), holdings(executor)
        );
    }

    function holdings(address holder) private view returns (uint256[] memory held) {
        held = new uint256[](tokens.length + 1);
        held[0] = holder.balance;
        for (uint256 i; i < tokens.length; i++) held[i + 1] = tokens[i].sharesOf(holder);
    }

    /// What holds for any bytes whatever.
    function judge(
        address executor,
        Program memory program,
        bool succeeded,
        Holdings memory before,
        Holdings memory left
    ) private view {
        require(bytes(stage.breach()).length == 0, stage.breach());
        require(!succeeded || bytes(program.mustFail).length == 0, program.mustFail);
        require(succeeded || !program.mustSucceed, "it failed for no reason");
        require(!succeeded || !program.isIntact || !stage.isBelievedHuge(), "it believed a huge output");
        require(left.payer[0] + program.value >= before.payer[0], "the payer lost ether");
        require(left.victim[0] >= before.victim[0], "a bystander lost ether");
        require(left.executor[0] <= stage.donatedEther(), "ether stayed");
        for (uint256 i; i < tokens.length; i++) {
            require(left.victim[i + 1] >= before.victim[i + 1], "a bystander lost tokens");
            require(tokens[i].allowed(executor) == 0, "an allowance stayed");
            if (!program.isIntact) continue;
            bool isPaid = tokens[i] == program.tokenIn && program.flags & nativeIn == 0;
            uint256 most = isPaid ? program.given : 0;
            require(left.payer[i + 1] + most >= before.payer[i + 1], "the payer lost more than the amounts");
            // What a rebase adds between a reading and a transfer is nobody's.
            if (tokens[i].manner() == Manner.rebasing) continue;
            require(left.executor[i + 1] <= stage.donated(address(tokens[i])), "tokens stayed");
        }
    }

    /// What holds where the program is what its caller meant.
    function judgePayment(
        Program memory program,
        Holdings memory before,
        Holdings memory left,
        uint256 balance
    ) private view {
        uint256 received = balanceOf(program) + (program.flags & nativeOut != 0 && program.recipient == payer ? program.value : 0);
        require(received >= balance + program.minimum, "the recipient got less than the minimum");
        received -= balance;
        Manner manner = program.tokenOut.manner();
        bool isExact = manner == Manner.plain || manner == Manner.silent || manner == Manner.calling;
        if (program.flags & nativeOut != 0 || !isExact) return;
        // Directly paid by a pool that lies, it is as good as its word: which is why such pools must not be.
        if (program.flags & direct != 0 && program.hasHostileEnd) return;
        received -= stage.owed();
        require(received >= program.minimum, "what was owed counted");
        if (program.flags & withFee == 0 || program.recipient == integrator) return;
        uint256 place = 1;
        while (tokens[place - 1] != program.tokenOut) place++;
        uint256 fee = left.integrator[place] - before.integrator[place];
        require(fee == (received + fee) * program.share / 1e9, "the fee is another");
    }

    /// That the executor is at rest: nobody can call it back, it takes no ether, and remembers nothing.
    function judgeRest(uint256 build, address executor) private {
        for (uint256 i; i < 4; i++) stage.callBack();
        require(bytes(stage.breach()).length == 0, stage.breach());
        (bool isTaken,) = executor.call{value: 1}("");
        require(!isTaken, "it took ether at rest");
        bytes memory slots = new bytes(96);
        if (build == 0) {
            vm.etch(executor, slotReader);
            (, slots) = executor.call("");
        }
        for (uint256 slot; slot < 3; slot++) {
            bytes32 value;
            assembly ("memory-safe") {
                value := mload(add(add(slots, 32), mul(slot, 32)))
            }
            if (build == 1) value = bytes32(uint256(vm.load(executor, bytes32(slot))) - 1);
            require(value == 0, "it remembers something");
        }
    }
}
