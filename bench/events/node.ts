import { once } from 'node:events';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { openDelivery } from '../../tests/support/open-delivery.ts';

// One of several processes that publish and deliver on one database, for `processes.ts`. It says its processor time
// whenever it is asked, and publishes an event for each target it is told.

const [url = ''] = process.argv.slice(2);
const database = await openDatabase({ dataDir: '', url });
const delivery = await openDelivery(database);
const stop = new AbortController();
const running = delivery
  .createWorkers({ suspend: delivery.suspend })
  .map((worker) => worker.run(stop.signal));

process.on('message', async (told: NodeOrder) => {
  if (told.order === 'subscribe') {
    const endpoint = { kind: 'webhook', uri: told.uri, contentMode: 'STRUCTURED' } as const;
    const { subscription } = await delivery.subscribe({ notificationEndpoint: endpoint });
    process.send?.(subscription.targetResource);
  }
  if (told.order === 'publish') {
    await delivery.publisher.publish([
      {
        id: told.id,
        source: '//shop',
        type: 'shop.order.v1.created',
        subject: told.target,
        occurredAt: Date.UTC(2026, 0, 1),
        data: { order: { name: told.id, note: 'x'.repeat(120) } },
      },
    ]);
  }
  if (told.order === 'time') {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1_000);
  }
});
process.send?.('ready');
await once(process, 'disconnect');
stop.abort();
await Promise.all(running);
process.exit(0);

export type NodeOrder =
  | { readonly order: 'subscribe'; readonly uri: string }
  | { readonly order: 'publish'; readonly id: string; readonly target: string }
  | { readonly order: 'time' };
