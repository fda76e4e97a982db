import { randomBytes } from 'node:crypto';

/** Where randomness comes from. Secrets and jitter both draw from the one that is handed in. */
export type Random = {
  bytes(length: number): Uint8Array;
  /** A number in [0, 1), for jitter; not for secrets. */
  fraction(): number;
};

/** In bytes: enough for some hundred ids or secrets. */
const stockSize = 4_096;

export const systemRandom: Random = {
  bytes: createStock(),
  fraction: () => Math.random(),
};

/**
 * Draws from a buffer, since each call of OpenSSL's generator costs several times what the few bytes of an id or
 * secret do. Drawn bytes are erased from the buffer.
 */
function createStock(): Random['bytes'] {
  let stock = Buffer.alloc(0);
  let used = 0;
  return (length) => {
    if (length > stockSize) return randomBytes(length);
    if (used + length > stock.length) {
      stock = randomBytes(stockSize);
      used = 0;
    }
    const drawn = Uint8Array.prototype.slice.call(stock, used, used + length);
    stock.fill(0, used, used + length);
    used += length;
    return drawn;
  };
}

/** Random bytes as base64url, for secrets and for ids in URLs and headers. */
export function drawText(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('base64url');
}

/** Random bytes in hexadecimal, for ids on command lines, since none begins with a dash. */
export function drawHex(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('hex');
}
