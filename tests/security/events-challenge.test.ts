import { expect, it } from 'vitest';
import { issueToken } from '../support/issue-token.ts';
import { serve } from '../support/run-tradewind.ts';

it('tells callers of events without a token, or with too small a one, what to get and where [L1, L5, S2]', async () => {
  const { url } = await serve();
  const small = { Authorization: `Bearer ${await issueToken(url, 'swap.read')}` };
  for (const [method, path, scope] of [
    ['GET', '/v1/subscriptions', 'subscriptions.read'],
    ['POST', '/v1/subscriptions', 'subscriptions.write'],
    ['POST', '/v1/events', 'events.publish'],
  ] as const) {
    const metadata = `resource_metadata="${url}/.well-known/oauth-protected-resource${path}"`;
    for (const [status, headers, error] of [
      [401, {}, ''],
      [403, small, 'error="insufficient_scope", '],
    ] as const) {
      const answer = await fetch(url + path, { method, headers });
      expect(answer.status).toBe(status);
      const challenge = answer.headers.get('www-authenticate');
      expect(challenge).toMatch(/^Bearer /);
      expect(challenge).toContain(error);
      expect(challenge).toContain(`scope="${scope}", ${metadata}`);
    }
  }
});
