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

test('bounds quotes of tokens that are not in memory, which cost most, and no others [F13] [Q32]', async () => {
  const environment = { TRADEWIND_RATE_LIMIT: '100', TRADEWIND_DEVCHAIN: 'auto' };
  const { output } = await serve({ environment });
  const [command = ''] = JSON.parse(output().stdout).tryNext;
  const quote = new URL(/'(http[^']+)'/.exec(command)![1]!);
  expect((await fetch(quote)).status).toBe(200);

  const answers: Response[] = [];
  for (let number = 1; number <= 20; number += 1) {
    const unknown = new URL(quote);
    unknown.searchParams.set('tokenOut', `0x${String(number).padStart(40, 'f')}`);
    answers.push(await fetch(unknown));
  }
  // The very first quote counts among the ten, since nothing was cached then.
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 9 }, () => 400),
    ...Array.from({ length: 11 }, () => 429),
  ]);
  expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetch(quote)).status).toBe(200);
});
