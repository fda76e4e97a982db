import type { Hex } from 'viem';
import { keccak256 } from 'viem/utils';
import { type Address, parseAddress } from './model.ts';

/** Ways of allowing the input by a signature instead of a transaction [Q29]. */
export const permitKinds = ['eip2612', 'permit2'] as const;
export type PermitKind = (typeof permitKinds)[number];

/** The address of Permit2 on every chain that has it: it was deployed by CREATE2. */
export const permit2Address = parseAddress('0x000000000022D473030F116dDEE9F6B43aC78BA3');

/** The kind of permit that a token supports on its chain, with what it needs. */
export type PermitPlan =
  | { readonly kind: 'eip2612'; readonly domain: PermitDomain }
  | { readonly kind: 'permit2' };

/** The size of the signature that is appended to the data of a transaction. */
export const signatureBytes = 65;

/** The EIP-712 domain of a token that supports EIP-2612. */
export type PermitDomain = {
  readonly name: string;
  readonly version?: string;
  readonly chainId?: number;
  readonly verifyingContract: Address;
  readonly salt?: Hex;
};

/** What to sign, as `eth_signTypedData_v4` takes it. The signature is appended to the data of the transaction. */
export type Permit = { readonly kind: PermitKind; readonly typedData: TypedData };

type TypedData = {
  readonly domain: PermitDomain;
  readonly types: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string }[]>
  >;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};

export type PermitTerms = {
  readonly chainId: number;
  readonly token: Address;
  readonly owner: Address;
  /** The executor: nobody else can use the signature. */
  readonly spender: Address;
  readonly amount: bigint;
  /** Seconds since the Unix epoch; that of the transaction. */
  readonly deadline: bigint;
};

const field = (name: string, type: string) => ({ name, type });

/** What EIP-712 lets a domain hold, in its order. */
export const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const;

/** What the owner signs so that a token of EIP-2612 allows the spender the amount. */
export function writeTokenPermit(
  { owner, spender, amount, deadline }: PermitTerms,
  { domain, nonce }: { readonly domain: PermitDomain; readonly nonce: bigint },
): Permit {
  const message = {
    owner,
    spender,
    value: amount.toString(),
    nonce: nonce.toString(),
    deadline: deadline.toString(),
  };
  return {
    kind: 'eip2612',
    typedData: {
      domain,
      types: {
        EIP712Domain: domainFields.filter(({ name }) => name in domain),
        Permit: [
          field('owner', 'address'),
          field('spender', 'address'),
          field('value', 'uint256'),
          field('nonce', 'uint256'),
          field('deadline', 'uint256'),
        ],
      },
      primaryType: 'Permit',
      message,
    },
  };
}

/**
 * What the owner signs so that Permit2 transfers the amount to the spender, once. The executor uses the hash of its
 * program as the nonce, so that the signature is valid for this program alone.
 */
export function writePermit2(
  { chainId, token, spender, amount, deadline }: PermitTerms,
  program: Hex,
): Permit {
  const message = {
    permitted: { token, amount: amount.toString() },
    spender,
    nonce: BigInt(keccak256(program)).toString(),
    deadline: deadline.toString(),
  };
  const domain = { name: 'Permit2', chainId, verifyingContract: permit2Address };
  return {
    kind: 'permit2',
    typedData: {
      domain,
      types: {
        EIP712Domain: domainFields.filter(({ name }) => name in domain),
        PermitTransferFrom: [
          field('permitted', 'TokenPermissions'),
          field('spender', 'address'),
          field('nonce', 'uint256'),
          field('deadline', 'uint256'),
        ],
        TokenPermissions: [field('token', 'address'), field('amount', 'uint256')],
      },
      primaryType: 'PermitTransferFrom',
      message,
    },
  };
}
