import { expect, it } from 'vitest';
import { UsageError } from '../input/usage-error.ts';
import { forwardSecret } from './forward-secret.ts';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

it.each([24, 32, 63, 64])('takes a secret of %i bytes', async (bytes) => {
  expect(await forwardSecret(secretOf(bytes), {})).toBe(secretOf(bytes));
});

it.each([23, 65, 66])('refuses a secret of %i bytes', async (bytes) => {
  await expect(forwardSecret(secretOf(bytes), {})).rejects.toThrow(UsageError);
});
