import type { Hono } from 'hono';
import { z } from 'zod';
import type { EdgeEnv } from '../kernel/edge/mount.ts';
import type { Operation, Service } from '../kernel/edge/operation.ts';
import { type ConsolePage, consolePages } from './pages.ts';

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

const testReceiverOperation: Operation = {
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

const assets: Operation = {
  id: 'showConsoleFile',
  method: 'GET',
  path: '/console/assets/{version}/{name=**}',
  summary: 'What the pages load',
  description: 'Scripts and styles of the console.',
  parameters: z.object({ version: z.string(), name: z.string() }),
  answer: { type: 'text/html' },
  scopes: [],
  errors: { 404: 'There is no such file.' },
};

/** The pages of the console as declared operations: for people, so none is in the OpenAPI document. */
export function consoleServiceFor(pages: readonly ConsolePage[]): Service {
  return {
    name: 'Console',
    description: '',
    error: z.object({}).meta({ id: 'ConsoleError' }),
    operations: [...pages.map(describePage), assets, testReceiverOperation],
  };
}

export const consoleService: Service = consoleServiceFor(consolePages);

function describePage({ path, heading, module }: ConsolePage): Operation {
  const template = path.replaceAll(/:(\w+)/g, '{$1}') as ConsolePage['path']; // still begins with a slash
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return {
    id: `showConsole-${module.replace('.ts', '')}`,
    method: 'GET',
    path: template,
    summary: heading,
    description: 'A page for people.',
    parameters: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    answer: { type: 'text/html' },
    scopes: [],
    errors: {},
  };
}
