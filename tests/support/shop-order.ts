import type { NewEvent } from '../../src/events/model/event.ts';

/** An event of the shop of `open-delivery.ts`. */
export function shopOrder(id: string, subject: string, changes: Partial<NewEvent> = {}): NewEvent {
  return {
    id,
    source: '//shop',
    type: 'shop.order.v1.created',
    subject,
    occurredAt: Date.UTC(2026, 0, 1),
    data: { order: { name: 'orders/1', total: 7 } },
    ...changes,
  };
}
