import { expect, it } from 'vitest';
import {
  endpoint,
  initialize,
  message,
  openContextEdge,
  protect,
  tokenOf,
} from '../../../tests/support/context-endpoint.ts';
import { contextLimits } from '../limits.ts';

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** The endpoint, where callers named `robot…` act for themselves. */
async function openSessions() {
  const context = await openContextEdge({
    async protect(request, requirement) {
      const caller = await protect(request, requirement);
      if (caller instanceof Response) return caller;
      return { ...caller, isPerson: !caller.subject.startsWith('robot') };
    },
  });
  const bearer = (who: string) => ({ Authorization: `Bearer ${tokenOf(who, 'swap.read')}` });
  return {
    async begin(who: string) {
      const response = await context.fetch(endpoint, message(initialize(), bearer(who)));
      await response.text();
      return { status: response.status, id: response.headers.get('mcp-session-id') ?? '' };
    },
    async use(who: string, id: string) {
      const headers = { ...bearer(who), 'Mcp-Session-Id': id };
      const response = await context.fetch(endpoint, message(list, headers));
      await response.text();
      return response.status;
    },
    close: () => context.close(),
  };
}

it('ends no session of others, however many callers begin however many [F15]', async () => {
  const { begin, use, close } = await openSessions();
  const most = contextLimits.sessionsOfCaller.value;
  const robots = contextLimits.sessions.value / most + 1;
  const ann = await begin('ann');
  const first = await begin('robot');
  const answers = new Map<number, number>();
  for (let robot = 0; robot < robots; robot += 1) {
    for (let count = 0; count <= most; count += 1) {
      const { status } = await begin(`robot ${robot}`);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  }
  expect(await use('ann', ann.id)).toBe(200);
  expect(await use('robot', first.id)).toBe(200);
  // The last of them found no place at all, and people have places of their own.
  expect(answers.get(503)).toBe(most + 1);
  expect((await begin('bob')).status).toBe(200);
  await close();
});
