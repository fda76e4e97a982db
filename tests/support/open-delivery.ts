import { workspaceApplications } from '../../src/events/applications/built-in-applications.ts';
import { createCatalogue } from '../../src/events/applications/create-catalogue.ts';
import {
  createDelivery,
  type Delivery,
  type DeliveryOptions,
} from '../../src/events/create-delivery.ts';
import type { Application } from '../../src/events/model/application.ts';
import type { Subscription, SubscriptionId } from '../../src/events/model/subscription.ts';
import { findSubscription, insertSubscription } from '../../src/events/store/subscription-store.ts';
import { suspendSubscription } from '../../src/events/subscriptions/lifecycle/suspend-subscription.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { productMigrations } from './product-migrations.ts';

/** An application whose events can all be subscribed to and published. */
export const shop: Application = {
  name: 'shop',
  targets: [{ pattern: '//shop/orders/{order}', eventTypes: ['shop.order.v1.created'] }],
  scopes: [],
  batchTypes: {},
  identities: {},
  resourceData: 'onRequest',
  isBuiltIn: false,
};

export type TestDelivery = Delivery & {
  /** Subscribes; every member that is left out has a default. */
  subscribe(changes: Partial<Subscription> & { secret?: string; isWhole?: boolean }): Promise<{
    subscription: Subscription;
    secret: string | undefined;
  }>;
  suspend: Parameters<Delivery['createWorkers']>[0]['suspend'];
  find(id: string): Promise<Subscription | undefined>;
};

export const deliveryDefaults = {
  clock: systemClock,
  random: systemRandom,
  masterKey: new Uint8Array(32),
  logger: createLogger({
    level: 'error',
    format: 'json',
    write: (line) => process.stderr.write(line),
  }),
  settings: {
    retryFirst: 20,
    retryMax: 200,
    retryWindow: 60_000,
    eventRetention: 3_600_000,
    eventVisibility: 'shared' as const,
  },
  allowNetworks: parseNetworks(['loopback']),
  sourceHost: 'events.test',
  builtIn: [shop, ...workspaceApplications],
  catalogue: {
    list: async () => [shop],
    match: async () => undefined,
    applicationOf: async (type: string) => (type.startsWith('shop.') ? shop : undefined),
  },
  kinds: {},
  storage: { requireRoom() {}, noteDeliveries() {} },
};

/** Publishing and delivery over a database. Subscriptions are written to the store directly, not through the interface. */
export async function openDelivery(
  database: Database,
  changes: Partial<DeliveryOptions> = {},
): Promise<TestDelivery> {
  await migrate(database, productMigrations);
  const options = { ...deliveryDefaults, metrics: createMetrics(), database, ...changes };
  const delivery = createDelivery(options);
  const { clock, sourceHost } = options;
  const readAdded = async () => [];
  const targets = createCatalogue({ readAdded, builtIn: options.builtIn, clock });
  let subscriptions = 0;

  return {
    ...delivery,
    async subscribe({ secret, isWhole = true, ...changed }) {
      const id = changed.id ?? (`s${process.pid}-${++subscriptions}` as SubscriptionId);
      const subscription: Subscription = {
        id,
        uid: `uid-${id}`,
        principal: 'client',
        clientId: 'client',
        userId: undefined,
        targetResource: `//shop/orders/${id}`,
        targetSpelling: undefined,
        eventTypes: ['shop.order.v1.created'],
        payloadOptions: undefined,
        notificationEndpoint: { kind: 'eventStream' },
        options: {},
        state: 'ACTIVE',
        suspensionReason: undefined,
        createdAt: clock.now(),
        updatedAt: clock.now(),
        expiresAt: clock.now() + 3_600_000,
        revision: 1,
        ...changed,
      };
      const made = await database.transaction(async (tx) => {
        await insertSubscription(tx, subscription);
        const found = await targets.match(subscription.targetResource);
        const resourceData = isWhole ? 'always' : 'onRequest';
        const application = { ...(found?.application ?? shop), resourceData } as const;
        const opening = { subscription, signingSecret: secret, seesAll: false, application };
        const made = await delivery.queues.open(tx, opening);
        // The interface would have asked the endpoint for its agreement.
        await tx.run(sql`UPDATE events_lanes SET is_agreed = 1 WHERE subscription_id = ${id}`);
        return made;
      });
      return { subscription, secret: made };
    },
    async suspend(id, reason) {
      const context = { database, clock, queues: delivery.queues, sourceHost };
      await suspendSubscription(context, { id, reason });
    },
    find: (id) => findSubscription(database, id),
  };
}
