import { z } from 'zod';
import type { Operation } from '../kernel/edge/operation.ts';
import type { Health } from '../kernel/process/supervisor.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import { successEnvelope } from '../swap/wire.ts';
import { type Config, describeSettings } from './settings/all-settings.ts';
import { version } from './version.ts';

type SystemOptions = {
  readonly config: Config;
  readonly health: Pick<Health, 'hindrances'>;
  readonly engine: 'sqlite' | 'postgres';
  /** Writes to the store; rejects where that is not possible. */
  readonly beat: () => Promise<void>;
  readonly nats?: { isUp(): boolean } | undefined;
  readonly measureQueues?: (() => Promise<NonNullable<SystemAnswer['queues']>>) | undefined;
  /** A function, since the workers do not exist yet when this is made. */
  readonly workers: () => readonly { readonly name: string }[];
  readonly clock: Clock;
};

/** Returns what the process is doing now (K8). */
export function createSystemDescription(options: SystemOptions): () => Promise<SystemAnswer> {
  const { config, health, engine, beat, nats, measureQueues, workers, clock } = options;
  const startedAt = new Date(clock.now()).toISOString();
  const settings = describeSettings(config);
  return async () => {
    const hindrances = health.hindrances();
    const [writeMs, queues] = await Promise.all([timeOf(beat, clock), measureQueues?.()]);
    return {
      version,
      node: process.versions.node,
      startedAt,
      services: [...config.server.services],
      memoryBytes: process.memoryUsage.rss(),
      hindrances: { ...hindrances },
      workers: workers().map(({ name }) => {
        const hindrance = hindrances[name] ?? hindrances[`${name} moves`];
        return { name, ...(hindrance === undefined ? {} : { hindrance }) };
      }),
      database: {
        engine: engine === 'sqlite' ? 'embedded' : 'PostgreSQL',
        ...(writeMs === undefined ? {} : { writeMs }),
      },
      nats: nats === undefined ? 'not used' : nats.isUp() ? 'connected' : 'does not answer',
      ...(queues === undefined ? {} : { queues }),
      settings: [...settings],
    };
  };
}

async function timeOf(work: () => Promise<void>, clock: Clock): Promise<number | undefined> {
  const begun = clock.elapsed();
  return work().then(
    () => Math.round((clock.elapsed() - begun) * 10) / 10,
    () => undefined,
  );
}

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
