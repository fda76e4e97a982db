import { expect, it, onTestFinished } from 'vitest';
import {
  endpoint,
  initialize,
  message,
  openContextEdge,
  tokenOf,
} from '../../../tests/support/context-endpoint.ts';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { contextLimits } from '../limits.ts';

const { batch, messages } = contextLimits;

const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
const note = { jsonrpc: '2.0', method: 'notifications/initialized' };

it('limits the messages of one caller in a minute, counting each of a batch, and not those of others [N5]', async () => {
  const clock = createFakeClock();
  const context = await openContextEdge({ clock });
  onTestFinished(() => context.close());
  const begin = async (who: string) => {
    const bearer = { Authorization: `Bearer ${tokenOf(who, 'swap.read')}` };
    const begun = await context.fetch(endpoint, message(initialize(), bearer));
    const session = { ...bearer, 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    return async (body: unknown) => {
      const response = await context.fetch(endpoint, message(body, session));
      return { response, text: await response.text() };
    };
  };
  const send = await begin('ann');
  const many = Array.from({ length: batch.value }, () => note);
  for (let sent = 1; sent + batch.value <= messages.value; sent += batch.value)
    expect((await send(many)).response.status).toBe(202);
  const { response, text } = await send(many);
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(JSON.parse(text)).toMatchObject({
    jsonrpc: '2.0',
    error: { code: -32000, message: expect.stringContaining(`More than ${messages.value}`) },
  });
  expect((await send(ping)).response.status).toBe(200);
  expect((await (await begin('eve'))(many)).response.status).toBe(202);
  clock.advance(60_000);
  expect((await send(many)).response.status).toBe(202);
});
