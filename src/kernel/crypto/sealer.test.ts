import { expect, it } from 'vitest';
import { systemRandom as random } from '../model/random.ts';
import { createSealer } from './sealer.ts';

const masterKey = new Uint8Array(32).fill(7);
const sealer = createSealer({ masterKey, purpose: 'tests', random });

it('opens what it sealed, which shows nothing of it', () => {
  const sealed = sealer.seal('the secret', 'row 1');
  expect(sealed).not.toContain('secret');
  expect(sealer.open(sealed, 'row 1')).toBe('the secret');
});

it('seals the same text differently each time', () => {
  expect(sealer.seal('a', 'row')).not.toBe(sealer.seal('a', 'row'));
});

it.each([
  ['another row', sealer, 'row 2'],
  ['another purpose', createSealer({ masterKey, purpose: 'others', random }), 'row 1'],
  [
    'another key',
    createSealer({ masterKey: new Uint8Array(32).fill(8), purpose: 'tests', random }),
    'row 1',
  ],
])('does not open in %s', (_, other, context) => {
  expect(() => other.open(sealer.seal('a', 'row 1'), context)).toThrow(/does not open/);
});

it.each(['', 'abc', 'A'.repeat(60)])('refuses %j as no seal of its own', (sealed) => {
  expect(() => sealer.open(sealed, 'row 1')).toThrow(/does not open/);
});
