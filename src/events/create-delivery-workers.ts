import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logging/logger.ts';
import { createDeliveryWorker, type DeliveryWorkerOptions } from './delivery/delivery-worker.ts';
import { createRetentionWorker } from './delivery/retention-worker.ts';
import type { EventVisibility } from './model/lane-sight.ts';
import { createFanOutWorker } from './publishing/create-fan-out-worker.ts';
import type { StorageMeter } from './publishing/create-storage-meter.ts';

export type DeliveryWorkersOptions = Omit<DeliveryWorkerOptions, 'onFailure'> & {
  readonly settings: {
    readonly eventRetention: number;
    readonly eventVisibility: EventVisibility;
  };
  readonly logger: Logger;
  readonly storage: Pick<StorageMeter, 'noteDeliveries'>;
};

/** The background workers of delivery: fan-out, deliveries and retention. */
export function createDeliveryWorkers(options: DeliveryWorkersOptions): readonly Worker[] {
  const { settings, logger } = options;
  const tell = (message: string) => (error: unknown) => logger.error({ err: error }, message);

  return [
    createDeliveryWorker({
      ...options,
      onFailure: tell('delivery interrupted, will be retried'),
    }),
    createFanOutWorker({
      ...options,
      visibility: settings.eventVisibility,
      onFailure: tell('publications not queued, will be retried'),
    }),
    createRetentionWorker({
      ...options,
      eventRetention: settings.eventRetention,
      onFailure: tell('events not pruned'),
    }),
  ];
}
