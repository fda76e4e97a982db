import type { Clock } from '../../kernel/clock.ts';
import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Random } from '../../kernel/random.ts';
import { accountOf } from '../caller.ts';
import type { LaneLifeStore } from '../store/lanes/lane-life-store.ts';
import { eventKey, type QueueStore } from '../store/queue/queue-store.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { EndpointKinds } from './endpoints/endpoint.ts';
import { makeSigningSecret } from './endpoints/webhook/signing-secret.ts';

export type DeliveryQueuesOptions = {
  readonly queues: QueueStore;
  readonly lanes: LaneLifeStore;
  readonly kinds: EndpointKinds;
  readonly sealer: Sealer;
  readonly random: Random;
  readonly clock: Clock;
};

/** Makes the queues' side that subscriptions see; see {@link DeliveryQueues}. */
export function createDeliveryQueues(options: DeliveryQueuesOptions): DeliveryQueues {
  const { queues, lanes, kinds, sealer, random, clock } = options;

  return {
    async open(tx, { subscription, signingSecret, seesAll, application }) {
      const { id, uid, principal, clientId, userId } = subscription;
      const endpoint = subscription.notificationEndpoint;
      const isWebhook = endpoint.kind === 'webhook';
      const secret = isWebhook ? (signingSecret ?? makeSigningSecret(random)) : undefined;
      await lanes.insert(tx, {
        subscriptionId: id,
        uid,
        principal,
        account: accountOf({ subject: userId ?? clientId, isPerson: userId !== undefined }),
        seesAll,
        endpoint,
        payload:
          application.resourceData === 'always'
            ? undefined
            : (subscription.payloadOptions ?? nameOnly),
        isAgreed: !(isWebhook && kinds.webhook.isAskedLater?.(endpoint)),
        secrets: secret === undefined ? undefined : sealer.seal(secret, id),
        isPushed: endpoint.kind !== 'eventStream' && kinds[endpoint.kind] !== undefined,
        isNarrow: application.isNarrow?.(subscription) ?? false,
      });
      return secret;
    },
    async enqueue(tx, { id, event }) {
      const position = (await queues.insertEvents(tx, [event])).get(eventKey(event));
      if (position === undefined) return;
      for (const lane of await queues.findLanes(tx, [id])) {
        await queues.appendNotice(tx, { lane, entry: { event: position, createdAt: clock.now() } });
      }
    },
    isAgreed: lanes.isAgreed,
    hold: lanes.suspend,
    resume: lanes.resume,
    finish: (tx, id) => lanes.finish(tx, { id, now: clock.now() }),
    remove: lanes.end,
  };
}

const nameOnly = { includeResource: false, fieldMask: [] };
