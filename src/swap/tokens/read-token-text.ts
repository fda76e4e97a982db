import { type Hex, hexToBytes, sliceHex } from 'viem';

const longest = 64;

/**
 * A token's name or symbol from what its contract answered: a string, or 32 bytes padded with zeros as
 * some of the oldest tokens have it. Texts come from contracts that anyone may write: control and
 * direction characters are dropped and long texts cut. Empty where nothing readable came.
 */
export function readTokenText(data: Hex): string {
  const size = (data.length - 2) / 2;
  if (size < 32) return '';
  const bytes = size === 32 ? hexToBytes(data) : stringBytes(data, size);
  const text = new TextDecoder('utf-8', { fatal: false }).decode(bytes).replaceAll('\uFFFD', '');
  return [...text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '').trim()].slice(0, longest).join('');
}

/** The bytes of an ABI-encoded string, or none where its offset or length do not fit the data. */
function stringBytes(data: Hex, size: number): Uint8Array {
  const offset = wordAt(data, 0);
  if (offset === undefined || offset + 32 > size) return new Uint8Array();
  const length = wordAt(data, offset);
  if (length === undefined || offset + 32 + length > size || length === 0) return new Uint8Array();
  return hexToBytes(sliceHex(data, offset + 32, offset + 32 + length));
}

function wordAt(data: Hex, offset: number): number | undefined {
  const word = BigInt(sliceHex(data, offset, offset + 32));
  // Nothing that fits into an answer lies further.
  return word < 1_000_000n ? Number(word) : undefined;
}
