import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHmacSha256 } from './hash.ts';

// RFC 4231, cases 2 and 6: a short key, and one longer than a block.
test.each([
  {
    key: Buffer.from('Jefe'),
    text: 'what do ya want for nothing?',
    mac: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    key: Buffer.alloc(131, 0xaa),
    text: 'Test Using Larger Than Block-Size Key - Hash Key First',
    mac: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  },
])('answers as RFC 4231 tells for $text', ({ key, text, mac }) => {
  expect(createHmacSha256(key)(text)).toBe(Buffer.from(mac, 'hex').toString('base64'));
});

test('agrees with OpenSSL on any key and texts, one after another', () => {
  const keys = fc.uint8Array({ maxLength: 200 });
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 5 });
  fc.assert(
    fc.property(keys, texts, (key, some) => {
      const sign = createHmacSha256(key);
      for (const text of some) {
        expect(sign(text)).toBe(createHmac('sha256', key).update(text).digest('base64'));
      }
    }),
  );
});
