import { Hono } from 'hono';
import type { Clock } from '../kernel/clock.ts';
import type { SettingValues } from '../kernel/config/setting.ts';
import type { Database } from '../kernel/database/database.ts';
import type { EventBus } from '../kernel/event-bus/event-bus.ts';
import type { Mount } from '../kernel/http/create-edge.ts';
import type { EdgeEnv } from '../kernel/http/edge-env.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Random } from '../kernel/random.ts';
import type { IdentifyCaller } from './caller.ts';
import type { eventsSettings } from './config.ts';

export type EventsOptions = {
  readonly settings: SettingValues<typeof eventsSettings>;
  readonly publicUrl: URL;
  readonly database: Database;
  /** Seals signing secrets and page tokens. */
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly identifyCaller: IdentifyCaller;
  /** Where changes of other domains come from. */
  readonly bus: EventBus;
};

/** Change notifications: their interface, what they do in the background, and what others may call. */
export type Events = {
  readonly mount: Mount;
  readonly workers: readonly Worker[];
  close(): Promise<void>;
};

/** Makes the service out of its parts. Nothing runs before the workers do. */
export function createEvents(_options: EventsOptions): Events {
  return { mount: { app: new Hono<EdgeEnv>(), paths: {} }, workers: [], close: async () => {} };
}
