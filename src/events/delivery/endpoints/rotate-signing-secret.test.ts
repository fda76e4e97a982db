import { expect, test } from 'vitest';
import { readSecrets, rotateSecrets } from './rotate-signing-secret.ts';

test('a secret that was never rotated is the only one in force [E10.23]', () => {
  expect(readSecrets('whsec_a whsk_b')).toEqual([{ secret: 'whsec_a whsk_b' }]);
});

test('the previous secret signs beside the new one until it expires [E10.23]', () => {
  const stored = rotateSecrets('whsec_a whsk_b', { secret: 'whsec_c', until: 7 });
  expect(readSecrets(stored)).toEqual([
    { secret: 'whsec_c' },
    { secret: 'whsec_a whsk_b', until: 7 },
  ]);
});

test('a further rotation drops the oldest secret [E14.41]', () => {
  const once = rotateSecrets('whsec_a', { secret: 'whsec_b', until: 7 });
  const twice = rotateSecrets(once, { secret: 'whsec_c', until: 9 });
  expect(readSecrets(twice)).toEqual([{ secret: 'whsec_c' }, { secret: 'whsec_b', until: 9 }]);
});
