/**
 * A signature by P-256 has two forms: in JSON Web Signatures its two numbers of 32 bytes stand beside each other
 * (RFC 7518 section 3.4), while OpenSSL speaks DER. Node.js translates as well, by `dsaEncoding`, but its
 * translation costs more than the signature itself.
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
    // A number is as short as can be, or has a zero in front which keeps it positive.
    const isPadded = length > numberBytes;
    der.copy(raw, isPadded ? end - numberBytes : end - length, isPadded ? from + 1 : from, at);
  }
  return raw;
}

/** The signature as OpenSSL reads it; nothing of one that has another length. */
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
