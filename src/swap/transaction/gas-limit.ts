import type { Hex } from 'viem';
import { hexToBytes } from 'viem/utils';

/**
 * The gas limit of a transaction whose call needs `callGas`: it adds what every transaction pays
 * (EIP-2028, EIP-7623) and two percent. Between the block that was read and the one that includes the
 * transaction, a price may cross a tick or a slot may turn from zero.
 */
export function gasLimit(data: Hex, callGas: bigint): bigint {
  const bytes = hexToBytes(data);
  const zeros = BigInt(bytes.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0));
  const tokens = zeros + (BigInt(bytes.length) - zeros) * 4n;
  const needed = 21_000n + tokens * 4n + callGas;
  const floor = 21_000n + tokens * 10n;
  const limit = needed > floor ? needed : floor;
  return limit + limit / 50n;
}
