/**
 * A P-256 signature has two encodings: JSON Web Signatures concatenate its two numbers of 32 bytes (RFC 7518
 * section 3.4), and OpenSSL uses DER. Node.js can convert them too, by `dsaEncoding`, but that costs more than
 * the signature itself.
 */
const numberBytes = 32;

/** The signature as tokens carry it. Does not check that the DER is well formed: it comes from OpenSSL. */
export function fromDer(der: Buffer): Buffer {
  const raw = Buffer.alloc(2 * numberBytes);
  let at = 2; // behind the tag and the length of the sequence
  for (const end of [numberBytes, 2 * numberBytes]) {
    const length = der[at + 1] ?? 0;
    const from = at + 2;
    at = from + length;
    // DER writes a number as short as possible, or with a leading zero that keeps it positive.
    const isPadded = length > numberBytes;
    der.copy(raw, isPadded ? end - numberBytes : end - length, isPadded ? from + 1 : from, at);
  }
  return raw;
}

/** The signature as OpenSSL reads it; `undefined` for one of another length. */
export function toDer(raw: Buffer): Buffer | undefined {
  if (raw.length !== 2 * numberBytes) return undefined;
  const numbers = [raw.subarray(0, numberBytes), raw.subarray(numberBytes)].map(writeInteger);
  const content = Buffer.concat(numbers);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

function writeInteger(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const isNegative = (bytes[start] ?? 0) >= 0x80;
  const digits = bytes.subarray(start);
  const padded = isNegative ? Buffer.concat([Buffer.from([0]), digits]) : digits;
  return Buffer.concat([Buffer.from([0x02, padded.length]), padded]);
}
