import { z } from 'zod';
import type { Operation } from '../../kernel/operations/operation.ts';
import { successEnvelope } from '../../swap/wire.ts';

const systemData = z.object({
  version: z.string(),
  node: z.string().describe('The version of Node.js.'),
  startedAt: z.iso.datetime(),
  services: z.array(z.string()),
  memoryBytes: z.number().describe('The memory that the process uses.'),
  hindrances: z
    .record(z.string(), z.string())
    .describe('What keeps the process from serving; empty when healthy.'),
  workers: z.array(
    z.object({
      name: z.string(),
      hindrance: z.string().optional().describe('What is wrong with it; absent while it works.'),
    }),
  ),
  database: z.object({
    engine: z.string(),
    writeMs: z
      .number()
      .optional()
      .describe('How long one write took just now; absent if it failed.'),
  }),
  nats: z.enum(['not used', 'connected', 'does not answer']),
  queues: z
    .object({
      active: z.number().describe('Subscriptions that deliver.'),
      failing: z.number().describe('Active subscriptions whose last attempt failed.'),
      suspended: z.number(),
      waiting: z.number().describe('Events that are queued, counted for each subscription.'),
      undelivered: z
        .number()
        .describe('Events that were held or given up, whether or not they were sent again since.'),
    })
    .optional()
    .describe('Absent where this process runs no change notifications.'),
  settings: z.array(
    z.object({
      name: z.string(),
      value: z.string().optional().describe('For a secret, only whether it is set.'),
      isSecret: z.boolean(),
      meaning: z.string(),
    }),
  ),
});

export type SystemAnswer = z.input<typeof systemData>;

/** What an operator looks at first, for admins. */
export const systemOperation: Operation = {
  id: 'getSystem',
  method: 'GET',
  path: '/v1/system',
  summary: 'System',
  description:
    'Workers, queues, store, versions and the settings in force of this process, without secrets.',
  parameters: z.object({}),
  answer: { schema: successEnvelope(systemData).meta({ id: 'SystemEnvelope' }) },
  scopes: ['admin'],
  errors: {
    401: 'It needs a token.',
    403: 'The token must be an admin’s.',
    404: 'This process checks no tokens, so it does not serve this operation.',
  },
};
