import { expect, test } from 'vitest';
import { issueToken } from '../support/issue-token.ts';
import { serve } from '../support/run-tradewind.ts';

test('a token raises the limit of quotes tenfold, and a bad one does not', async () => {
  const { url } = await serve({ environment: { TRADEWIND_RATE_LIMIT: '7' } });
  const policyOf = async (headers: Record<string, string>) =>
    (await fetch(`${url}/v1/tokens/424242`, { headers })).headers.get('ratelimit-policy');
  const token = await issueToken(url, 'swap.read');
  expect(await policyOf({})).toBe('"quotes";q=7;w=60');
  expect(await policyOf({ Authorization: 'Bearer nonsense' })).toBe('"quotes";q=7;w=60');
  expect(await policyOf({ Authorization: `Bearer ${token}` })).toBe(
    '"quotes-with-token";q=70;w=60',
  );
});
