import type { Hex } from 'viem';
import { concat, numberToHex, size, toFunctionSelector } from 'viem/utils';
import type { Address } from '../model.ts';
import {
  type Hop,
  type Path,
  type SwapOrder,
  type TransactionCall,
  totalAmountIn,
} from '../swap-order.ts';

/** The greatest amount of a path, and the greatest minimum, that a program can hold. */
export const greatestAmount = (1n << 128n) - 1n;

const selector = toFunctionSelector('swap()');

// As in Executor.sol.
const flag = {
  nativeIn: 1,
  nativeOut: 2,
  direct: 4,
  otherRecipient: 8,
  fee: 16,
  permit: { eip2612: 32, permit2: 64 },
} as const;
const zeroForOne = 0x80;

/**
 * Encodes an order as a program of the executor [Q22]; docs/design/executor.md describes the bytes. The output goes straight to
 * the recipient, where the minimum is measured, unless it must be unwrapped, a fee is taken or a pool on the way runs foreign
 * code. If the sender permits the input by a signature, the data is complete only with that signature appended. Throws a
 * RangeError for amounts above {@link greatestAmount} and pools that it cannot swap in. Does not check that pools hold the
 * tokens.
 */
export function encodeExecutor(executor: Address, order: SwapOrder): TransactionCall {
  const { paths, tokenOut, minAmountOut, recipient, sender, deadline } = order;
  const { isNativeIn, isNativeOut, fee, permit } = order;
  const isForOther = recipient !== sender;
  const runsForeignCode = paths.some(({ hops }) => hops.some((hop) => hop.runsForeignCode));
  const flags =
    (isNativeIn ? flag.nativeIn : 0) |
    (isNativeOut ? flag.nativeOut : 0) |
    (isNativeOut || runsForeignCode || fee ? 0 : flag.direct) |
    (fee ? flag.fee : 0) |
    (isForOther ? flag.otherRecipient : 0) |
    (permit ? flag.permit[permit] : 0);
  const isHere = isNativeIn || permit === 'permit2';
  const header = concat([
    selector,
    numberToHex(flags, { size: 1 }),
    paths[0].hops[0].tokenIn,
    tokenOut,
    numberToHex(minAmountOut, { size: 16 }),
    numberToHex(deadline, { size: 5 }),
  ]);
  const rest = concat([
    ...(isForOther ? [recipient] : []),
    ...(fee ? [fee.recipient, numberToHex(fee.billionths, { size: 4 })] : []),
    ...paths.flatMap((path, index) =>
      // If the executor holds the input already, the last path takes what is left: zeros cost less than an amount.
      encodePath(path, isHere && index === paths.length - 1 ? 0n : path.amountIn),
    ),
  ]);
  const program = concat([
    header,
    ...(permit ? encodePermit(totalAmountIn(order), size(header) + size(rest)) : []),
    rest,
  ]);
  return {
    to: executor,
    // Checksummed addresses contain capitals.
    data: program.toLowerCase() as Hex,
    value: isNativeIn ? totalAmountIn(order) : 0n,
  };
}

/** Where the program ends and the signature begins, and what the signature is for. */
function encodePermit(amountIn: bigint, programBytes: number): Hex[] {
  const permitBytes = 18;
  return [
    numberToHex(programBytes + permitBytes, { size: 2 }),
    numberToHex(amountIn, { size: 16 }),
  ];
}

function encodePath({ hops }: Path, amountIn: bigint): Hex[] {
  return [
    numberToHex(hops.length, { size: 1 }),
    numberToHex(amountIn, { size: 16 }),
    ...hops.flatMap((hop, index) => [
      ...encodeHop(hop),
      ...(index === hops.length - 1 ? [] : [hop.tokenOut]),
    ]),
  ];
}

function encodeHop({ pool, step, tokenIn, tokenOut }: Hop): Hex[] {
  if (step === undefined) throw new RangeError(`The executor cannot swap in the pool ${pool}`);
  const direction = tokenIn.toLowerCase() < tokenOut.toLowerCase() ? zeroForOne : 0;
  return [numberToHex(step.number | direction, { size: 1 }), pool, step.extra];
}
