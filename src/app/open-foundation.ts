import type { Database } from '../kernel/database/database.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { openDatabase } from '../kernel/database/open-database.ts';
import { createRateLimitPruner } from '../kernel/edge/rate-limiter.ts';
import type { Random } from '../kernel/model/random.ts';
import type { Worker } from '../kernel/process/worker.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import type { Tracer } from '../kernel/telemetry/trace.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import {
  createInProcessEventBus,
  type EventBus,
  type EventFailure,
} from '../kernel/work/event-bus.ts';
import type {
  JetstreamEventBus,
  JetstreamEventBusOptions,
} from '../kernel/work/jetstream-event-bus.ts';
import { createEarlierWorkMover } from '../kernel/work/move-earlier-work.ts';
import { createOutboxPruner, openOutboxRelay } from '../kernel/work/outbox.ts';
import type { EnteredOptions } from './compose-options.ts';
import { createRoomDoubt, type Heartbeat, openHeartbeat } from './heartbeat.ts';
import { migrations } from './installation/installation-of.ts';
import { observeDatabase } from './observe-database.ts';
import type { TraceSettings } from './settings/read-trace-settings.ts';
import { version } from './version.ts';

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
      createEarlierWorkMover({ database, clock, onFailure: tell('earlier work not moved') }),
      await openOutboxRelay({ database, bus, clock, random, onFailure }),
      createOutboxPruner({ database, bus, clock, onFailure: tell('outbox not pruned') }),
      createRateLimitPruner({ database, clock, onFailure: tell('rate limits not pruned') }),
    ],
  };
}

/** The bus between processes, if a NATS server is named. Only then is its driver loaded. */
async function openNatsBus(
  url: string | undefined,
  options: Omit<JetstreamEventBusOptions, 'url'>,
): Promise<JetstreamEventBus | undefined> {
  if (url === undefined) return undefined;
  const { openJetstreamEventBus } = await import('../kernel/work/jetstream-event-bus.ts');
  return openJetstreamEventBus({ ...options, url });
}

/** The tracer and the worker that exports its spans. Loads their code only if needed (T5). */
async function openTracer(
  settings: TraceSettings | undefined,
  options: { readonly clock: Clock; readonly random: Random; readonly logger: Logger },
): Promise<{ readonly tracer: Tracer | undefined; readonly workers: readonly Worker[] }> {
  if (settings === undefined) return { tracer: undefined, workers: [] };
  const [{ createTracer }, { createOtlpExporter }] = await Promise.all([
    import('../kernel/telemetry/trace.ts'),
    import('../kernel/telemetry/otlp.ts'),
  ]);
  const { clock, random, logger } = options;
  const { record, worker } = createOtlpExporter({
    target: settings,
    service: { name: settings.serviceName, version },
    clock,
    fetch,
    onLoss: (count, error) => logger.warn({ err: error, count }, 'spans of traces were lost'),
  });
  return { tracer: createTracer({ clock, random, record }), workers: [worker] };
}
