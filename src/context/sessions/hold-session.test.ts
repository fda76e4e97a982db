import { expect, it, onTestFinished } from 'vitest';
import {
  endpoint,
  initialize,
  message,
  openContextEdge,
  swapUseCases,
} from '../../../tests/support/context-endpoint.ts';
import type { AskOptions } from '../use-cases.ts';

/** Counts the turns of the event loop until the test is over. */
function countTurns(): () => number {
  let turns = 0;
  let next = setImmediate(count);
  function count() {
    turns += 1;
    next = setImmediate(count);
  }
  onTestFinished(() => clearImmediate(next));
  return () => turns;
}

/** A session in which `list_chains` is answered by `ask`. */
async function begin(ask: (given: object, options: AskOptions) => Promise<object>) {
  const chains = { ...swapUseCases!.chains, ask };
  const context = await openContextEdge({ useCases: { swap: { ...swapUseCases!, chains } } });
  onTestFinished(() => context.close());
  const begun = await context.fetch(endpoint, message(initialize()));
  const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
  return {
    send: (body: unknown) => context.fetch(endpoint, message(body, session)),
    end: () => context.fetch(endpoint, { ...message('', session), method: 'DELETE', body: null }),
  };
}

const call = (id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'list_chains', arguments: {} },
});
const batch = Array.from({ length: 20 }, (_, index) => call(index + 10));

it('lets the event loop turn between the messages of a batch [N1]', async () => {
  const turn = countTurns();
  const turns: number[] = [];
  const { send } = await begin(async () => {
    turns.push(turn());
    return { chains: [] };
  });
  const text = await (await send(batch)).text();
  expect(text.match(/structuredContent/g)).toHaveLength(batch.length);
  expect(new Set(turns).size).toBe(batch.length);
});

it('hands over nothing more of a batch once its session has ended', async () => {
  let calls = 0;
  const begun = Promise.withResolvers<void>();
  const { send, end } = await begin(async () => {
    calls += 1;
    begun.resolve();
    return { chains: [] };
  });
  const answered = send(Array.from({ length: 100 }, (_, index) => call(index + 10)));
  await begun.promise;
  await end();
  await (await answered).text();
  expect(calls).toBeLessThan(100);
});

it('hands over the cancellation of a call in a batch after that call', async () => {
  const signals: AbortSignal[] = [];
  const { send } = await begin(async (_given, { signal }) => {
    signals.push(signal);
    if (signals.length === batch.length)
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { chains: [] };
  });
  void send(batch);
  const params = { requestId: batch.at(-1)?.id };
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  await expect.poll(() => signals.at(batch.length - 1)?.aborted).toBe(true);
});
