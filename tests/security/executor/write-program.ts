import { type Address, concat, type Hex, numberToHex, size } from 'viem';

export type ProgramHop = {
  readonly kind: number;
  readonly zeroForOne: boolean;
  readonly pool: Address;
  readonly extra?: Hex;
  /** Left out after the last hop of a path. */
  readonly next?: Address;
};

export type Program = {
  readonly flags?: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly minimum?: bigint;
  readonly deadline?: bigint;
  readonly recipient?: Address;
  readonly fee?: { readonly recipient: Address; readonly share: number };
  /** By EIP-2612 or by Permit2, with any signature. */
  readonly permit?: { readonly flag: 32 | 64; readonly input: bigint };
  readonly paths: readonly { readonly amount: bigint; readonly hops: readonly ProgramHop[] }[];
};

export const flag = { nativeIn: 1, nativeOut: 2, direct: 4, otherRecipient: 8, fee: 16 } as const;

/** The bytes of a program as docs/design/executor.md describes them. The program need not be valid. */
export function writeProgram(program: Program): Hex {
  const { flags = 0, tokenIn, tokenOut, minimum = 0n, deadline = 0xffff_ffffffn } = program;
  const { recipient, fee, permit, paths } = program;
  const all =
    flags |
    (recipient === undefined ? 0 : flag.otherRecipient) |
    (fee === undefined ? 0 : flag.fee) |
    (permit?.flag ?? 0);
  const header = concat([
    '0x8119c065', // swap()
    numberToHex(all, { size: 1 }),
    tokenIn,
    tokenOut,
    numberToHex(minimum, { size: 16 }),
    numberToHex(deadline, { size: 5 }),
  ]);
  const rest = concat([
    ...(recipient === undefined ? [] : [recipient]),
    ...(fee === undefined ? [] : [fee.recipient, numberToHex(fee.share, { size: 4 })]),
    ...paths.flatMap(({ amount, hops }) => [
      numberToHex(hops.length, { size: 1 }),
      numberToHex(amount, { size: 16 }),
      ...hops.flatMap(({ kind, zeroForOne, pool, extra = '0x', next = '0x' }) => [
        numberToHex(kind | (zeroForOne ? 0x80 : 0), { size: 1 }),
        pool,
        extra,
        next,
      ]),
    ]),
  ]);
  if (permit === undefined) return concat([header, rest]);
  const end = size(header) + 18 + size(rest);
  const permitted = [numberToHex(end, { size: 2 }), numberToHex(permit.input, { size: 16 })];
  return concat([header, ...permitted, rest, `0x${'5e'.repeat(64)}1b`]);
}
