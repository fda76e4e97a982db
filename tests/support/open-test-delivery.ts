import { onTestFinished } from 'vitest';
import type { DeliveryOptions } from '../../src/events/create-delivery.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { openDelivery } from './open-delivery.ts';

/** Publishing and delivery, closed when the running test is over. */
export async function openTestDelivery(database: Database, changes?: Partial<DeliveryOptions>) {
  const delivery = await openDelivery(database, changes);
  onTestFinished(() => delivery.close());
  return delivery;
}
