import type { Random } from './random.ts';

/** Random bytes as base64url, for secrets and for ids in URLs and headers. */
export function drawText(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('base64url');
}

/** Random bytes in hexadecimal, for ids on command lines, since none begins with a dash. */
export function drawHex(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('hex');
}
