import type { Hono } from 'hono';
import { z } from 'zod';
import type { EdgeEnv } from '../kernel/http/mount/edge-env.ts';
import type { Operation } from '../kernel/operations/operation.ts';

/** The path of endpoints that show a newcomer deliveries without a server of their own. */
const testReceiverPath = '/console/test-receiver';

type TestAnswer = { readonly status: 200 | 503; readonly text: string };

const answers: ReadonlyMap<string, TestAnswer> = new Map([
  ['accept', { status: 200, text: 'Taken by the test receiver of this server.' }],
  [
    'refuse',
    {
      status: 503,
      text: 'Refused: this test receiver takes nothing, so that you see how a delivery fails and is sent again.',
    },
  ],
]);

/**
 * Webhooks that accept everything or refuse everything. They agree to every sender, and keep and show
 * nothing: what was sent is in the deliveries of the subscription, which only its owner sees (K17).
 */
export function serveTestReceiver(app: Hono<EdgeEnv>): void {
  app.all(`${testReceiverPath}/:answer`, (c) => {
    const answer = answers.get(c.req.param('answer'));
    if (answer === undefined) return c.notFound();
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { 'Webhook-Allowed-Origin': '*' });
    return c.text(answer.text, answer.status, { 'Cache-Control': 'no-store' });
  });
}

export const testReceiverOperation: Operation = {
  id: 'callTestReceiver',
  method: 'POST',
  path: `${testReceiverPath}/{answer}`,
  summary: 'Test receiver',
  description: 'A webhook that takes or refuses everything, to try subscriptions with.',
  parameters: z.object({ answer: z.enum(['accept', 'refuse']) }),
  // For people who try the console, so it is not in the OpenAPI document.
  answer: { type: 'text/html' },
  scopes: [],
  errors: { 404: 'There is no such receiver.', 503: 'The one that refuses was called.' },
};
