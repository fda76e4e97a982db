import type { Hex } from 'viem';
import { hexToBytes } from 'viem/utils';

/** Longer than any honest name; a hostile one must not fill an answer or a screen. */
const longestText = 64;

/**
 * The symbol or name of a token from what its getter answered: a string by ABI, or text in 32 bytes as
 * tokens before 2017 have it [Q15]. Whatever a contract may have put there, the result is one line of at
 * most 64 characters, without characters that are invisible, control something or change the direction
 * of writing. Anything but text gives the empty string.
 */
export function decodeTokenText(data: Hex): string {
  const bytes = hexToBytes(data);
  const text = new TextDecoder().decode(bytes.length === 32 ? upToZero(bytes) : abiString(bytes));
  const shown = text
    .replaceAll('\u{fffd}', '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/\p{C}/gu, '')
    .trim();
  return [...shown].slice(0, longestText).join('');
}

/** The content of a string that may have been cut off: as much of it as is there. */
function abiString(bytes: Uint8Array): Uint8Array {
  const offset = wordAt(bytes, 0);
  const length = wordAt(bytes, offset);
  return bytes.subarray(offset + 32, offset + 32 + length);
}

/** A number beyond the data is replaced by the length of the data, with the same effect. */
function wordAt(bytes: Uint8Array, offset: number): number {
  const word = bytes.subarray(offset, offset + 32);
  const isSmall = word.length === 32 && word.subarray(0, 28).every((byte) => byte === 0);
  return isSmall ? new DataView(word.buffer, word.byteOffset).getUint32(28) : bytes.length;
}

function upToZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}
