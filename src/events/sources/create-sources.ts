import { createHmac, hkdfSync } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../kernel/database/database.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { Worker } from '../../kernel/process/worker.ts';
import type { Logger } from '../../kernel/telemetry/logger.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { EventBus, EventConsumer } from '../../kernel/work/event-bus.ts';
import { authorizationTypes } from '../applications/own-event-types.ts';
import type { NewEvent } from '../model/event.ts';
import type { Publisher } from '../publishing/create-publisher.ts';
import { createFolderSource } from './create-folder-source.ts';
import { createSwapSource } from './create-swap-source.ts';
import type { PriceSource } from './price-source.ts';

type SourcesOptions = {
  readonly publisher: Publisher;
  readonly masterKey: Uint8Array;
  readonly bus: EventBus;
  /** The swap service, where this process runs it. */
  readonly prices: PriceSource | undefined;
  /** The watched directories by the names of their folders. */
  readonly folders: ReadonlyMap<string, string>;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
};

/** Makes the worker of every source that this process can have, and subscribes to what other domains tell. */
export function createSources(options: SourcesOptions): readonly Worker[] {
  const { bus, prices, folders, logger } = options;
  bus.subscribe(createAuthorizationSource(options));
  const swapWorkers = prices
    ? createSwapSource({
        ...options,
        prices,
        onFailure: (error) => logger.error({ err: error }, 'pairs not watched, will be retried'),
      })
    : [];
  const folderWorkers = [...folders].map(([folder, path]) =>
    createFolderSource({
      ...options,
      folder,
      path,
      onFailure: (error) =>
        logger.error({ err: error, folder, path }, 'folder not read, will be retried'),
    }),
  );
  return [...swapWorkers, ...folderWorkers];
}

/** How each change of authorization is published: the event type and the resource its data is keyed by. */
const told = {
  'authorization.client-registered': {
    type: authorizationTypes.clientRegistered,
    resource: 'client',
  },
  'authorization.grant-created': {
    type: authorizationTypes.grantCreated,
    resource: 'grant',
  },
  'authorization.grant-revoked': {
    type: authorizationTypes.grantRevoked,
    resource: 'grant',
  },
  'authorization.reuse-detected': {
    type: authorizationTypes.reuseDetected,
    resource: 'token',
  },
} as const;

const payloadSchema = z.object({
  clientId: z.string(),
  accountId: z.string().optional(),
  at: z.number(),
});

/**
 * The consumer that publishes changes of authorization (E14.13): once on the client and, where a person is concerned,
 * once on that user. If a change is handled again, its events are duplicates. The ids of events are derived with a key
 * of this server, so that nobody can predict one (F6).
 */
export function createAuthorizationSource(options: {
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly masterKey: Uint8Array;
}): EventConsumer {
  const { publisher, masterKey } = options;
  const key = new Uint8Array(
    hkdfSync('sha256', masterKey, '', 'tradewind authorization events', 32),
  );
  const idOf = (told: string) => createHmac('sha256', key).update(told).digest('base64url');
  return {
    name: 'events.authorization',
    topics: Object.keys(told),
    async handle({ id, topic, payload }) {
      // The bus brings only the topics above.
      const { type, resource } = told[topic as keyof typeof told];
      const { clientId, accountId, at } = payloadSchema.parse(payload);
      // An id may be a URL; a name has one segment for it.
      const names = [`clients/${encodeURIComponent(clientId)}`];
      if (accountId) names.push(`users/${encodeURIComponent(accountId)}`);
      const eventId = idOf(`${topic}-${id}`);
      const events = names.map((name): NewEvent => {
        const subject = `//authorization/${name}`;
        const data = { [resource]: { name, clientId, ...(accountId ? { accountId } : {}) } };
        return { id: eventId, source: subject, type, subject, occurredAt: at, data };
      });
      await publisher.publish(events);
    },
  };
}
