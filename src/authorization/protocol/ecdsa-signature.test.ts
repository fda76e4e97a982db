import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { fromDer, toDer } from './ecdsa-signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

test('a signature survives the conversion from DER to raw and back, and Node.js verifies it', () => {
  // Of so many signatures some have numbers with leading zeros, and most have a zero byte that keeps a number positive.
  for (let count = 0; count < 600; count++) {
    const text = Buffer.from(`signed ${count}`);
    const der = sign('sha256', text, privateKey);
    const raw = fromDer(der);
    expect(raw).toHaveLength(64);
    expect(toDer(raw)).toEqual(der);
    if (count % 20 > 0) continue;
    expect(verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw)).toBe(true);
  }
});

test.each([
  ['short numbers', '01', '02', '3006020101020102'],
  ['a number of nothing', '00', '80', '300702010002020080'],
])('%s are written as short as can be', (_, r, s, der) => {
  const raw = Buffer.from(r.padStart(64, '0') + s.padStart(64, '0'), 'hex');
  expect(toDer(raw)?.toString('hex')).toBe(der);
  expect(fromDer(Buffer.from(der, 'hex'))).toEqual(raw);
});

test('a raw signature of another length is refused', () => {
  for (const length of [0, 63, 65]) expect(toDer(Buffer.alloc(length))).toBeUndefined();
});
