import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hex } from 'viem';

type Change = { readonly from: string; readonly to: string };
/** `also` is a second change of the same file, without which a thief could not use the first. */
type Breakage = Change & { readonly file: string; readonly also?: Change };

/**
 * Builds of the executor with one protection removed. Each such gap caused a known loss or was a finding.
 * `TEST_BROKEN_EXECUTOR=<name> npx vitest run --project security tests/security/executor` runs the
 * proofs on one of these builds, and must fail.
 */
export const breakages = {
  /** Sushi's RouteProcessor2: it trusts every caller of its callback. */
  'any-caller-calls-back': {
    file: 'Slots.sol',
    from: 'require(uint160(expected) == uint160(msg.sender), "not the pool");',
    to: '',
  },
  'pays-twice': {
    file: 'Slots.sol',
    from: '        store(poolSlot, running);\n        store(tokenSlot, 0);\n',
    to: '',
    // Otherwise a pool that was paid once would count as a pool that took nothing.
    also: { from: 'require(load(poolSlot) == running, "pool took nothing");', to: '' },
  },
  'pays-for-nothing': {
    file: 'Slots.sol',
    from: 'require(load(poolSlot) == running, "pool took nothing");',
    to: '',
  },
  'pays-what-is-asked': {
    file: 'ConcentratedSwaps.sol',
    from: 'require(uint256(delta0 > 0 ? delta0 : delta1) == amount, "not the amount");',
    to: 'amount = uint256(delta0 > 0 ? delta0 : delta1);',
  },
  'no-lock': { file: 'Executor.sol', from: 'require(load(poolSlot) == 0, "locked");', to: '' },
  /** 1inch Settlement: it trusts bytes beyond the end of the calldata. */
  'reads-past-the-end': {
    file: 'Executor.sol',
    from: 'require(cursor == end, "program");',
    to: '',
  },
  /** LI.FI, Socket, Dexible, Transit: the caller chooses the target and data of a call. */
  'caller-chooses-the-call': {
    file: 'Executor.sol',
    from: 'require(kind <= vaultHop, "kind");',
    to: 'if (kind > vaultHop) { (bool done,) = poolOf(cursor).call(abi.encodeWithSelector(0x23b872dd, 0xb2b2b2b2b2B2b2B2B2b2b2B2B2b2B2B2b2b2b2b2, msg.sender, 1 ether)); require(done); }',
    also: {
      from: 'if (kind == concentratedHop) return',
      to: 'if (kind > vaultHop) return amount;\n        if (kind == concentratedHop) return',
    },
  },
  'counts-what-was-owed': {
    file: 'Executor.sol',
    from: 'if (target != address(this)) requireNoForeignCode(hop, end);',
    to: '',
  },
  'leaves-allowances': {
    file: 'Payments.sol',
    from: 'require(allowed == 0, "allowance left");',
    to: 'allowed;',
  },
  'believes-what-was-gathered': {
    file: 'Executor.sol',
    from: 'require(amount >= minimum, "too little received");',
    to: '',
  },
  'keeps-native-input': {
    file: 'Executor.sol',
    from: 'require(left == 0, "input left");',
    to: '',
  },
  'takes-ether-for-tokens': {
    file: 'Executor.sol',
    from: 'require(msg.value == 0, "takes no ether");',
    to: '',
  },
  'takes-ether-at-rest': {
    file: 'Executor.sol',
    from: 'require(load(poolSlot) != 0, "takes no ether");',
    to: '',
  },
  'pays-itself': {
    file: 'Executor.sol',
    from: 'require(recipient != address(this), "recipient");',
    to: '',
  },
  'runs-late': {
    file: 'Executor.sol',
    from: 'require(block.timestamp <= read(61, 5), "expired");',
    to: '',
  },
  'pays-direct-with-fee': {
    file: 'Executor.sol',
    from: 'require(flags & (nativeOut | withFee) == 0, "flags");',
    to: '',
  },
  'believes-huge-outputs': {
    file: 'Slots.sol',
    from: 'require(amount <= type(uint128).max, "amount");',
    to: '',
  },
  'runs-empty-paths': {
    file: 'Executor.sol',
    from: 'require(hops != 0, "empty path");',
    to: '',
  },
  'any-signature': {
    file: 'Executor.sol',
    from: 'require(end + signatureSize == msg.data.length, "signature");',
    to: '',
  },
  'believes-refused-tokens': {
    file: 'Payments.sol',
    from: 'require(isMoved, "token refuses");',
    to: '',
  },
  'believes-the-output': {
    file: 'Executor.sol',
    from: 'requireReceived(tokenOut, recipient, before, minimum);\n        } else {',
    to: 'before;\n        } else {',
  },
  /** The minimum of what was gathered, without what a token keeps of the last transfer. */
  'minimum-before-transfer': {
    file: 'Executor.sol',
    from: 'if (!isNative) requireReceived(tokenOut, recipient, before, minimum);',
    to: 'before;',
  },
  'believes-what-was-owed': {
    file: 'Executor.sol',
    from: 'require(paid >= minimum, "too little received");',
    to: 'paid;',
  },
  'pays-the-caller': {
    file: 'Executor.sol',
    from: 'send(tokenOut, isNative, recipient, amount);',
    to: 'send(tokenOut, isNative, msg.sender, amount);',
    also: {
      from: 'if (!isNative) requireReceived(tokenOut, recipient, before, minimum);',
      to: 'before;',
    },
  },
  'keeps-the-fee': {
    file: 'Executor.sol',
    from: 'require(feeRecipient != address(this), "recipient");',
    to: '',
  },
  'stays-locked': {
    file: 'Executor.sol',
    from: '        store(poolSlot, 0);\n    }',
    to: '    }',
  },
  'remembers-the-token': { file: 'Slots.sol', from: 'store(tokenSlot, 0);', to: '' },
  'remembers-the-payer': { file: 'Slots.sol', from: 'store(payerSlot, 0);', to: '' },
} as const satisfies Record<string, Breakage>;

/** The code of the transient build with one protection removed. */
export function compileBroken(name: keyof typeof breakages): Hex {
  const breakage: Breakage = breakages[name];
  const { file: broken, from, to, also = { from, to } } = breakage;
  const folder = new URL('../../../src/swap/executor/contracts/', import.meta.url);
  const sources = Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.sol'))
      .map((file) => {
        const content = readFileSync(new URL(file, folder), 'utf8');
        if (file !== broken) return [file, { content }];
        for (const line of [from, also.from]) {
          if (!content.includes(line))
            throw new Error(`${file} has no line that ${name} takes out.`);
        }
        const changed = content.replace(from, to).replace(also.from, also.to);
        return [file, { content: changed.replace('private pure', 'private') }];
      }),
  );
  // The package has no types; this is its documented interface: JSON text in, JSON text out.
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const settings = { optimizer: { enabled: true }, viaIR: true, evmVersion: 'cancun' };
  const outputSelection = { '*': { '*': ['evm.deployedBytecode.object'] } };
  const input = { language: 'Solidity', sources, settings: { ...settings, outputSelection } };
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)));
  const { object } =
    contracts?.['TransientExecutor.sol']?.TransientExecutor?.evm?.deployedBytecode ?? {};
  if (object === undefined) throw new Error(JSON.stringify(errors));
  return `0x${object}`;
}
