import type { Random } from './random.ts';

/** So many random bytes, as base64url: fit for secrets, and for ids in URLs and headers. */
export function drawText(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('base64url');
}

/** So many random bytes in hexadecimal: fit for ids that stand on command lines, since none begins with a dash. */
export function drawHex(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('hex');
}
