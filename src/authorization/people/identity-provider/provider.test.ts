import { describe, expect, test } from 'vitest';
import { toPerson } from './provider.ts';

describe('a person of an identity provider', () => {
  test.each([
    ['Ada\u0000 L', 'Ada L'],
    ['\u202eowner \u0007', 'owner'],
    ['\u200b', 'user-1'],
    [42, 'user-1'],
  ])('is called %j without characters that nobody sees [F55, N6]', (name, expected) => {
    expect(toPerson({ sub: 'user-1', name })).toEqual({ subject: 'user-1', name: expected });
  });

  test.each(['user-1\u0000', 'user\n1', '\u009fuser', ' user-1', 'user-1 ', 'user-1\u00a0', ' '])(
    'has no control characters in the subject %j, and no space around it [F55]',
    (sub) => {
      expect(() => toPerson({ sub })).toThrow(/control characters, or begins or ends with a space/);
    },
  );
});
