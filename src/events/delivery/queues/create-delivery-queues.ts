import type { Sealer } from '../../../kernel/crypto/sealer.ts';
import type { Random } from '../../../kernel/random/random.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { accountOf } from '../../caller.ts';
import { makeSigningSecret } from '../../model/signing-secret.ts';
import {
  endLaneOf,
  finishLane,
  insertLane,
  isLaneAgreed,
  narrowLane,
  resumeLane,
  seesAllEvents,
  suspendLane,
} from '../../store/lanes/lane-life-store.ts';
import type { Deliverer } from '../../store/lanes/lane-notices.ts';
import { appendToLanes, eventKey, findLanes, insertEvents } from '../../store/queue/queue-store.ts';
import type { EndpointKinds } from '../endpoints/endpoint.ts';
import type { DeliveryQueues } from './delivery-queues.ts';

export type DeliveryQueuesOptions = {
  readonly kinds: EndpointKinds;
  readonly sealer: Sealer;
  readonly random: Random;
  readonly clock: Clock;
  readonly deliverer: Deliverer;
};

/** Makes the queues as subscriptions use them; see {@link DeliveryQueues}. */
export function createDeliveryQueues(options: DeliveryQueuesOptions): DeliveryQueues {
  const { kinds, sealer, random, clock, deliverer } = options;

  return {
    async open(tx, { subscription, signingSecret, seesAll, application }) {
      const { id, uid, principal, clientId, userId } = subscription;
      const endpoint = subscription.notificationEndpoint;
      const isWebhook = endpoint.kind === 'webhook';
      const secret = isWebhook ? (signingSecret ?? makeSigningSecret(random)) : undefined;
      await insertLane(tx, {
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
      const now = clock.now();
      const position = (await insertEvents(tx, [event], now)).get(eventKey(event));
      if (position === undefined) return;
      const entries = [{ event: position, createdAt: now }];
      const lanes = await findLanes(tx, [id]);
      const queued = new Map(lanes.map((lane) => [lane, entries]));
      await appendToLanes(tx, queued, { now, deliverer, isNotice: true });
    },
    isAgreed: isLaneAgreed,
    hold: suspendLane,
    resume: resumeLane,
    seesAll: seesAllEvents,
    narrow: narrowLane,
    finish: (tx, id) => finishLane(tx, { id, now: clock.now() }),
    remove: endLaneOf,
  };
}

const nameOnly = { includeResource: false, fieldMask: [] };
