// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {HonestManager, HonestPool} from "./HonestPool.sol";
import {HostilePool} from "./HostilePool.sol";
import {Stage} from "./Stage.sol";
import {Manner, Token, Vault} from "./Token.sol";

/// A random program, as docs/design/executor.md describes the bytes, and what must come of it.
struct Program {
    bytes data;
    uint256 value;
    uint8 flags;
    Token tokenIn;
    Token tokenOut;
    address recipient;
    uint256 minimum;
    uint256 given;
    uint256 share;
    /// Kinds of its hops, as bits.
    uint256 kinds;
    /// Why it must fail; empty where it need not.
    string mustFail;
    bool mustSucceed;
    bool isIntact;
    /// Whether a path has too little input to give anything.
    bool isSmall;
    bool hasHostile;
    bool hasHostileEnd;
}

abstract contract Programs {
    uint8 internal constant nativeIn = 1;
    uint8 internal constant nativeOut = 2;
    uint8 internal constant direct = 4;
    uint8 internal constant otherRecipient = 8;
    uint8 internal constant withFee = 16;
    uint8 internal constant withPermit = 32;
    uint256 private constant reserve = 1e34;

    address internal constant payer = address(bytes20(hex"a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"));
    address internal constant victim = address(bytes20(hex"b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2"));
    address internal constant stranger = address(bytes20(hex"c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3"));
    address internal constant integrator = address(bytes20(hex"fefefefefefefefefefefefefefefefefefefefe"));

    Stage internal stage;
    HonestManager internal manager;
    Wallet internal wallet;
    /// Wrapped ether, two plain tokens, one that answers nothing and the share of a vault; then one of every other manner.
    Token[] internal tokens;
    uint256 internal constant politeTokens = 5;
    address private immutable honestPool = address(new HonestPool());
    address private immutable hostilePool = address(new HostilePool());
    uint256 private random;

    function draw(uint256 below) internal returns (uint256) {
        random = uint256(keccak256(abi.encode(random)));
        return random % below;
    }

    function rank(Token token) private view returns (uint256 at) {
        while (tokens[at] != token) at++;
    }

    function chance(uint256 percent) internal returns (bool) {
        return draw(100) < percent;
    }

    function generate(address executor, uint256 seed) internal returns (Program memory program) {
        random = seed;
        program.isIntact = true;
        bool isPolite = chance(60);
        bool isHonest = chance(isPolite ? 70 : 40);
        uint256 among = isPolite ? politeTokens : tokens.length;
        program.tokenIn = tokens[draw(among)];
        do program.tokenOut = tokens[draw(tokens.length)];
        while (program.tokenOut == program.tokenIn || (isPolite && rank(program.tokenOut) >= politeTokens));
        // Often the output alone is odd, so that the program gets as far as that.
        if (chance(60)) {
            among = politeTokens;
            if (rank(program.tokenIn) >= among) program.tokenIn = tokens[program.tokenOut == tokens[1] ? 2 : 1];
        }
        header(program, executor);
        bytes memory paths = writePaths(program, among, isHonest ? 0 : 30);
        bytes memory head = writeHeader(program, executor, paths.length);
        program.data = abi.encodePacked(head, paths);
        program.mustSucceed = isPolite && !program.hasHostile && bytes(program.mustFail).length == 0;
        decideMinimum(program);
        if (program.flags & withPermit != 0) {
            program.data = abi.encodePacked(program.data, new bytes(64), uint8(27));
        }
        spoil(program, head.length);
    }

    /// Flags and recipients; contradictions now and then.
    function header(Program memory program, address executor) private {
        bool isWrappedIn = program.tokenIn == tokens[0];
        bool isWrappedOut = program.tokenOut == tokens[0];
        if (isWrappedIn && chance(50)) program.flags |= nativeIn;
        if (isWrappedOut && chance(50)) program.flags |= nativeOut;
        if (chance(30)) program.flags |= withFee;
        if (chance(40)) program.flags |= direct;
        if (program.flags & direct != 0 && program.flags & (nativeOut | withFee) != 0) {
            if (chance(90)) program.flags &= ~direct;
            else program.mustFail = "it paid directly what it should have unwrapped or shared";
        }
        if (program.flags & nativeIn == 0 && chance(12)) program.flags |= withPermit;
        program.recipient = payer;
        if (!chance(60)) return;
        program.flags |= otherRecipient;
        uint256 who = draw(20);
        program.recipient = who < 9
            ? stranger
            : who < 14 ? address(wallet) : who < 16 ? integrator : who < 18 ? payer : who < 19 ? victim : executor;
        if (program.recipient == executor) program.mustFail = "it paid itself";
    }

    function writeHeader(Program memory program, address executor, uint256 size) private returns (bytes memory head) {
        uint256 deadline = block.timestamp + draw(1000);
        if (chance(3)) {
            deadline = block.timestamp - 1;
            program.mustFail = "it ran late";
        }
        bytes memory rest;
        if (program.flags & otherRecipient != 0) rest = abi.encodePacked(program.recipient);
        if (program.flags & withFee != 0) {
            program.share = chance(80) ? draw(1e8) : draw(1e9 + 1);
            bool isItself = chance(4);
            if (isItself) program.mustFail = "it paid itself";
            rest = abi.encodePacked(rest, isItself ? executor : integrator, uint32(program.share));
        }
        head = abi.encodePacked(
            bytes4(0x8119c065), program.flags, program.tokenIn, program.tokenOut, uint128(0), uint40(deadline)
        );
        if (program.flags & withPermit != 0) {
            uint256 end = head.length + 18 + rest.length + size;
            head = abi.encodePacked(head, uint16(end), uint128(program.given));
        }
        head = abi.encodePacked(head, rest);
    }

    function writePaths(Program memory program, uint256 among, uint256 hostility)
        private
        returns (bytes memory written)
    {
        uint256 count = chance(50) ? 1 : 1 + draw(3);
        uint256[] memory amounts = new uint256[](count);
        bool isRest;
        for (uint256 i; i < count; i++) {
            amounts[i] = chance(5) ? draw(1000) : 1e6 + draw(10 ether);
            program.given += amounts[i];
            if (amounts[i] < 1e6) program.isSmall = true;
            isRest = program.flags & nativeIn != 0 && i == count - 1 && chance(70);
            bytes memory hops;
            uint256 many = chance(50) ? 1 : 1 + draw(3);
            (hops, many) = writeHops(program, among, hostility, many);
            written = abi.encodePacked(written, uint8(many), uint128(isRest ? 0 : amounts[i]), hops);
        }
        if (program.flags & nativeIn != 0) program.value = program.given;
        if (chance(4)) {
            // Ether that nothing asks for, or more than the paths take.
            program.value += 1 + draw(1 ether);
            if (!isRest) program.mustFail = program.flags & nativeIn == 0 ? "it took ether for tokens" : "it kept input";
        }
        stage.setProgram(program.recipient, integrator, program.tokenOut, amounts);
    }

    function writeHops(Program memory program, uint256 among, uint256 hostility, uint256 many)
        private
        returns (bytes memory written, uint256 count)
    {
        Token token = program.tokenIn;
        uint256 kind = drawKind();
        for (count = 1; true; count++) {
            bool isLast = count >= many;
            Token next = program.tokenOut;
            if (!isLast) {
                do next = tokens[draw(among)]; while (next == token || next == program.tokenOut);
                // A vault has one partner for each of its two tokens.
                (Token asset, Token share) = (tokens[1], tokens[politeTokens - 1]);
                if (kind == 5 && token == asset && share != program.tokenOut) next = share;
                if (kind == 5 && token == share && asset != program.tokenOut) next = asset;
            }
            uint256 following = drawKind();
            bool isHostile = chance(hostility);
            if (isHostile) {
                program.hasHostile = true;
                if (isLast) program.hasHostileEnd = true;
            }
            bool mayClaimHuge = !isLast && (following == 1 || following == 2);
            written = abi.encodePacked(written, writeHop(program, kind, token, next, isHostile, mayClaimHuge));
            if (isLast) return (written, count);
            written = abi.encodePacked(written, next);
            (token, kind) = (next, following);
        }
    }

    function drawKind() private returns (uint256) {
        return chance(2) ? 6 + draw(122) : draw(6);
    }

    function writeHop(
        Program memory program,
        uint256 kind,
        Token token,
        Token next,
        bool isHostile,
        bool mayClaimHuge
    ) private returns (bytes memory) {
        // An honest vault trades its asset and its share alone.
        Token share = tokens[politeTokens - 1];
        if (kind == 5 && !isHostile && !(token == share ? next == tokens[1] : token == tokens[1] && next == share)) {
            kind = 1;
        }
        if (kind > 5) program.mustFail = "it ran an unknown kind of pool";
        if (program.flags & direct != 0 && kind > 3) program.mustFail = "foreign code paid directly";
        program.kinds |= 1 << (kind > 5 ? 6 : kind);
        bool zeroForOne = chance(50);
        address pool;
        if (kind > 5) {
            // What a caller would have called: a token.
            pool = address(token);
        } else if (isHostile) {
            pool = clone(hostilePool);
            stage.setHostile(pool);
            next.mint(pool, reserve);
            token.mint(pool, reserve);
            HostilePool(payable(pool)).open(stage, token, next, mayClaimHuge);
        } else if (kind == 2) {
            pool = address(manager);
        } else if (kind == 5) {
            pool = address(share);
        } else {
            pool = clone(honestPool);
            token.mint(pool, reserve);
            next.mint(pool, reserve);
            HonestPool(pool).open(zeroForOne ? token : next, zeroForOne ? next : token, draw(3));
        }
        bytes memory hop = abi.encodePacked(uint8(kind | (zeroForOne ? 0x80 : 0)), pool);
        if (kind == 0) return abi.encodePacked(hop, uint16(9970));
        if (kind == 4) return abi.encodePacked(hop, zeroForOne ? uint16(1) : uint16(0x100));
        return kind == 2 ? abi.encodePacked(hop, writeKey(program, token, next)) : hop;
    }

    /// A proxy of EIP-1167, which costs less to make than a pool.
    function clone(address code) private returns (address made) {
        bytes memory creation =
            abi.encodePacked(hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", code, hex"5af43d82803e903d91602b57fd5bf3");
        assembly ("memory-safe") {
            made := create(0, add(creation, 32), mload(creation))
        }
    }

    function writeKey(Program memory program, Token token, Token next) private returns (bytes memory) {
        // The pool of the wrapped form is as good; native ones must follow each other, which chance decides.
        uint8 native = token == tokens[0] && chance(50) ? 1 : 0;
        if (next == tokens[0] && chance(50)) native |= 2;
        address hooks;
        if (chance(10)) {
            hooks = address(uint160(draw(1 << 160)));
            if (uint160(hooks) & 0xcc != 0) {
                if (program.flags & direct != 0) program.mustFail = "foreign code paid directly";
                program.hasHostile = true;
            }
        }
        return abi.encodePacked(native, uint24(3000), int24(60), hooks);
    }

    function decideMinimum(Program memory program) private {
        // Above the least it is a matter of taxes: of the transfer to the executor, and of the one to the recipient.
        // Every hop of an honest pool takes less than 0.4 %, and there are at most four on a path.
        uint256 least = program.given * 98 / 100 * (1e9 - program.share) / 1e9;
        least = least > 100 ? least - 100 : 0;
        uint256 where = draw(10);
        program.minimum = where < 3
            ? 0
            : where < 5 ? least : program.given * (880 + draw(140)) / 1000 * (1e9 - program.share) / 1e9;
        if (where >= 5 || program.isSmall) program.mustSucceed = false;
        bytes memory data = program.data;
        bytes16 minimum = bytes16(uint128(program.minimum));
        for (uint256 i; i < 16; i++) data[45 + i] = minimum[i];
    }

    /// Bytes that are cut, added or changed.
    function spoil(Program memory program, uint256 headSize) private {
        uint256 which = draw(100);
        bytes memory data = program.data;
        if (which < 6) {
            // Never at the end of a path, where a shorter program would be whole: hops end in addresses or bytes of their own.
            uint256 cut = 1 + draw(16);
            if (data.length - cut <= headSize) return;
            assembly ("memory-safe") {
                mstore(data, sub(mload(data), cut))
            }
            program.mustFail = "it read past its end";
        } else if (which < 12) {
            program.data = abi.encodePacked(data, new bytes(chance(50) ? 17 : 1 + draw(40)));
            program.mustFail = "it left bytes unread";
        } else if (which < 24) {
            // Bits are turned, not written: a byte of the executor's own address, which differs between the builds, is then
            // another one in both.
            for (uint256 i = 1 + draw(3); i > 0; i--) data[4 + draw(data.length - 4)] ^= bytes1(uint8(draw(256)));
            (program.isIntact, program.mustFail) = (false, "");
        } else {
            return;
        }
        program.mustSucceed = false;
    }
}

/// A recipient with code: it lets the attacker act when it is paid ether.
contract Wallet {
    Stage private immutable stage;

    constructor(Stage stage_) {
        stage = stage_;
    }

    receive() external payable {
        stage.act();
    }
}
