import type { Database } from '../kernel/database/database.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { observeDatabase } from '../kernel/database/observe-database.ts';
import { openDatabase } from '../kernel/database/open-database.ts';
import type { EventBus, EventFailure } from '../kernel/event-bus/event-bus.ts';
import { createInProcessEventBus } from '../kernel/event-bus/in-process-event-bus.ts';
import { createRoomDoubt } from '../kernel/lifecycle/doubt-room.ts';
import { type Heartbeat, openHeartbeat } from '../kernel/lifecycle/open-heartbeat.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import { createOutboxPruner } from '../kernel/outbox/outbox-pruner.ts';
import { openOutboxRelay } from '../kernel/outbox/outbox-relay.ts';
import { createRateLimitPruner } from '../kernel/rate-limit/rate-limit-pruner.ts';
import type { EnteredOptions } from './compose-options.ts';
import { migrations } from './installation/migrations.ts';
import { openNatsBus } from './open-nats-bus.ts';
import { openTracer } from './open-tracer.ts';

/** What every service builds on: the store, the bus and the workers that maintain them. */
export type Foundation = {
  readonly database: Database;
  readonly bus: EventBus;
  /** Undefined if NATS is not used. */
  readonly nats: Awaited<ReturnType<typeof openNatsBus>>;
  readonly heartbeat: Heartbeat;
  /** Undefined if no collector is named. */
  readonly tracer: Awaited<ReturnType<typeof openTracer>>['tracer'];
  /** Call it after every consumer has subscribed: the relay fetches events only for those. */
  openWorkers(): Promise<readonly Worker[]>;
};

/** Opens the store, migrates it, and opens the bus. Disposing the stack closes them. */
export async function openFoundation(
  options: EnteredOptions,
  opened: AsyncDisposableStack,
): Promise<Foundation> {
  const { config, dataDir, logger, metrics, clock, random } = options;
  const { databaseUrl, natsUrl, databaseTimeout } = config.server;
  const tell = (message: string) => (error: unknown) => logger.error({ err: error }, message);
  const store = await openDatabase({ dataDir, url: databaseUrl, patienceMs: databaseTimeout });
  opened.defer(() => store.close());
  const room = createRoomDoubt();
  const database = observeDatabase(store, { metrics, clock, onFailure: room.notice });
  await migrate(database, migrations);
  const heartbeat = await openHeartbeat({
    database,
    clock,
    room,
    onFailure: tell('heartbeat not written'),
  });
  const onFailure = ({ error, consumer, event, attempts }: EventFailure) =>
    logger.error(
      { err: error, consumer, topic: event?.topic, event: event?.id, attempts },
      'event not handled, will be retried',
    );
  const nats = await openNatsBus(natsUrl, { database, clock, random, onFailure });
  opened.defer(() => nats?.close());
  const bus = nats ?? createInProcessEventBus();
  const { tracer, workers: tracing } = await openTracer(config.traces, { clock, random, logger });

  return {
    database,
    bus,
    nats,
    heartbeat,
    tracer,
    openWorkers: async () => [
      heartbeat.worker,
      // Workers end in the reverse order, so the spans of the others' last work are still sent.
      ...tracing,
      ...bus.workers(),
      await openOutboxRelay({ database, bus, clock, random, onFailure }),
      createOutboxPruner({ database, bus, clock, onFailure: tell('outbox not pruned') }),
      createRateLimitPruner({ database, clock, onFailure: tell('rate limits not pruned') }),
    ],
  };
}
