import { onTestFinished } from 'vitest';
import { workspaceApplications } from '../../src/events/applications/built-in-applications.ts';
import { createCatalogue } from '../../src/events/applications/create-catalogue.ts';
import type { DeliveryQueues } from '../../src/events/delivery/delivery-queues.ts';
import type { EndpointProblem } from '../../src/events/delivery/endpoints/endpoint.ts';
import type { NewEvent } from '../../src/events/model/event.ts';
import { createBackgroundWork } from '../../src/events/subscriptions/operations.ts';
import type { SubscriptionContext } from '../../src/events/subscriptions/subscription-context.ts';
import { createSealer } from '../../src/kernel/crypto/sealer.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createFakeClock } from './fake-clock.ts';
import { productMigrations } from './product-migrations.ts';

/**
 * The use cases of subscriptions over a database, with a stand-in for delivery: it records the calls to the
 * queues, and `answerCheck` decides the result of the check of an endpoint.
 */
export async function openSubscriptions(database: Database) {
  await migrate(database, productMigrations);
  const clock = createFakeClock();
  const told: NewEvent[] = [];
  const calls: string[] = [];
  const failures: unknown[] = [];
  let answerCheck: () => Promise<EndpointProblem | undefined> = async () => undefined;

  const note = (call: string) => async () => void calls.push(call);
  const queues: DeliveryQueues = {
    open: async () => void calls.push('open'),
    enqueue: async (_tx, { event }) => {
      told.push(event);
      calls.push(`enqueue ${event.type.split('.').at(-1)}`);
    },
    isAgreed: async () => true,
    seesAll: async () => false,
    narrow: async () => {},
    hold: note('hold'),
    resume: note('resume'),
    finish: note('finish'),
    remove: note('remove'),
    terminate: note('terminate'),
    refresh: note('refresh'),
    refill: note('refill'),
  };
  const background = createBackgroundWork({ error: (facts) => void failures.push(facts) });
  onTestFinished(() => background.close());
  const context: SubscriptionContext = {
    database,
    clock,
    random: systemRandom,
    catalogue: createCatalogue({
      readAdded: async () => [],
      builtIn: workspaceApplications,
      clock,
    }),
    queues,
    requireRoom: async () => {},
    checkEndpoint: () => answerCheck(),
    errorDomain: 'localhost:8787',
    sourceHost: 'localhost:8787',
    sealer: createSealer({
      masterKey: Buffer.alloc(32, 1),
      purpose: 'tests',
      random: systemRandom,
    }),
    background,
  };
  return {
    context,
    clock,
    told,
    calls,
    failures,
    checkBy(answer: typeof answerCheck) {
      answerCheck = answer;
    },
  };
}
