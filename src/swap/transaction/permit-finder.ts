import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  hexToNumber,
  keccak256,
  numberToHex,
  parseAbi,
  slice,
  stringToHex,
} from 'viem/utils';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import {
  type Block,
  type Call,
  type CallOutcome,
  type ChainReader,
  readCalls,
} from '../chain/chain-reader.ts';
import { codeHashesCall, readCodeHashes } from '../chain/packed-calls.ts';
import { swapLimits } from '../limits.ts';
import { type Address, parseAddress } from '../model.ts';
import {
  domainFields,
  type PermitDomain,
  type PermitKind,
  type PermitPlan,
  permit2Address,
} from '../permit.ts';

const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);

/** A deadline that never passes. */
const latest = 2n ** 256n - 1n;

const permitTypes = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** The key of an account that everybody may know: its permits are only tried, and worth nothing. */
const testKey: Hex = `0x${'01'.repeat(32)}`;

type PermitLook = {
  readonly chainId: number;
  readonly token: Address;
  readonly reader: Pick<ChainReader, 'call'>;
  readonly block: Block;
  readonly signal: AbortSignal;
};

/**
 * The EIP-712 domain of a token for permits of EIP-2612 [Q29]; undefined if it does not support them. Tokens differ in what they
 * put into their domain, so the usual forms are compared with the separator that the token reports. The form that fits is proved
 * by a permit of a test account, which the token must accept. Takes two round trips; the answer never changes.
 */
async function findPermitDomain(look: PermitLook): Promise<PermitDomain | undefined> {
  const { token, reader, block, signal } = look;
  const { privateKeyToAccount } = await import('viem/accounts');
  const tester = privateKeyToAccount(testKey);
  const ask = (functionName: 'DOMAIN_SEPARATOR' | 'name' | 'version') => ({
    to: token,
    data: encodeFunctionData({ abi, functionName }),
  });
  const [separator, name, version, nonce] = await reader.call(
    [ask('DOMAIN_SEPARATOR'), ask('name'), ask('version'), noncesCall(token, tester.address)],
    { block, signal },
  );
  const nextNonce = readNonce(nonce);
  const told = separator?.status === 'returned' ? separator.data.slice(0, 66) : undefined;
  const domain = domainsOf(look, { name: textOf(name), version: textOf(version) }).find(
    (candidate) => hashDomain(candidate) === told,
  );
  if (domain === undefined || nextNonce === undefined) return undefined;
  const signature = await tester.signTypedData({
    domain,
    types: permitTypes,
    primaryType: 'Permit',
    message: {
      owner: tester.address,
      spender: token,
      value: 1n,
      nonce: nextNonce,
      deadline: latest,
    },
  });
  const [tried] = await reader.call([permitCall(token, tester, signature)], { block, signal });
  return tried?.status === 'returned' ? domain : undefined;
}

/** Asks a token for the nonce of an owner's next permit. */
export function noncesCall(token: Address, owner: Hex): Call {
  return { to: token, data: encodeFunctionData({ abi, functionName: 'nonces', args: [owner] }) };
}

/** The nonce in the outcome of {@link noncesCall}; undefined if the token does not count permits. */
export function readNonce(outcome: CallOutcome | undefined): bigint | undefined {
  if (outcome?.status !== 'returned' || outcome.data.length !== 66) return undefined;
  return BigInt(outcome.data);
}

function permitCall(token: Address, { address }: PrivateKeyAccount, signature: Hex) {
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), slice(signature, 64, 65)];
  const args = [address, token, 1n, latest, hexToNumber(v), r, s] as const;
  return {
    from: parseAddress(address),
    to: token,
    data: encodeFunctionData({ abi, functionName: 'permit', args }),
  };
}

/** The forms in use: as EIP-2612 shows it, without a version (UNI), and with the chain in the salt (tokens of Polygon's bridge). */
function domainsOf(
  { chainId, token }: PermitLook,
  { name, version }: { readonly name: string | undefined; readonly version: string | undefined },
): PermitDomain[] {
  if (name === undefined) return [];
  const versions = [...new Set([...(version === undefined ? [] : [version]), '1', '2'])];
  const salt = numberToHex(chainId, { size: 32 });
  return [
    ...versions.map((one) => ({ name, version: one, chainId, verifyingContract: token })),
    { name, chainId, verifyingContract: token },
    ...versions.map((one) => ({ name, version: one, verifyingContract: token, salt })),
  ];
}

function textOf(outcome: CallOutcome | undefined): string | undefined {
  if (outcome?.status !== 'returned') return undefined;
  try {
    return decodeFunctionResult({ abi, functionName: 'name', data: outcome.data });
  } catch {
    return undefined; // a token whose name is no text has no domain of these forms
  }
}

/** Finds how a token can be permitted: by EIP-2612 where it takes that, else by Permit2 where the chain has it. */
export type PermitFinder = (
  token: Address,
  options: {
    /** The only kind that is accepted; any by default. */
    readonly kind?: PermitKind | undefined;
    readonly block: Block;
    readonly signal: AbortSignal;
  },
) => Promise<PermitPlan | undefined>;

// The code hash of an account without code, such as one that was only ever sent something.
const hashOfNoCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const hashOfNoAccount = `0x${'0'.repeat(64)}`;

/** What a token supports never changes, so each token is asked once. */
export function createPermitFinder({
  chainId,
  reader,
}: {
  readonly chainId: number;
  readonly reader: Pick<ChainReader, 'call'>;
}): PermitFinder {
  const domains = createBoundedMap<Address, PermitDomain | 'none'>(swapLimits.layoutsKept.value);
  let hasPermit2 = false;

  return async (token, { kind, block, signal }) => {
    if (kind !== 'permit2') {
      const known = domains.get(token);
      const domain =
        known ?? (await findPermitDomain({ chainId, token, reader, block, signal })) ?? 'none';
      domains.set(token, domain);
      if (domain !== 'none') return { kind: 'eip2612', domain };
    }
    if (kind === 'eip2612') return undefined;
    if (!hasPermit2) {
      const decode = ([outcome]: readonly CallOutcome[]) => readCodeHashes(outcome)?.[0];
      const asked = { block, signal, decode };
      const hash =
        (await readCalls(reader, [codeHashesCall([permit2Address])], asked)) ?? hashOfNoCode;
      hasPermit2 = hash !== hashOfNoCode && hash !== hashOfNoAccount;
    }
    return hasPermit2 ? { kind: 'permit2' } : undefined;
  };
}

/** The domain separator of EIP-712: what a contract says under `DOMAIN_SEPARATOR()`. */
function hashDomain(domain: PermitDomain): Hex {
  const fields = domainFields.filter(({ name }) => domain[name] !== undefined);
  const type = `EIP712Domain(${fields.map(({ name, type }) => `${type} ${name}`).join(',')})`;
  const values = fields.map(({ name, type }) => {
    const value = domain[name];
    return type === 'string'
      ? { type: 'bytes32', value: keccak256(stringToHex(String(value))) }
      : { type, value };
  });
  return keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, ...values.map(({ type }) => ({ type }))],
      [keccak256(stringToHex(type)), ...values.map(({ value }) => value)],
    ),
  );
}
