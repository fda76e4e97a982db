import { createHash } from 'node:crypto';
import { EventsError } from '../model/events-error.ts';
import { formatTimestamp } from '../model/proto-fields.ts';
import {
  type NotificationEndpoint,
  type Subscription,
  subscriptionName,
} from '../model/subscription.ts';
import type { SubscriptionResource } from '../model/subscription-message.ts';

/**
 * A subscription as answers show it. A signing secret is not part of it, and `reconciling` is never
 * true: a change is applied as a whole, in one transaction (E2.13).
 */
export function toSubscriptionResource(subscription: Subscription): SubscriptionResource {
  const { id, uid, payloadOptions, options, suspensionReason } = subscription;
  return {
    name: subscriptionName(id),
    uid,
    targetResource: subscription.targetSpelling ?? subscription.targetResource,
    eventTypes: [...subscription.eventTypes],
    ...(payloadOptions === undefined
      ? {}
      : {
          payloadOptions: {
            includeResource: payloadOptions.includeResource,
            ...(payloadOptions.fieldMask.length === 0
              ? {}
              : { fieldMask: payloadOptions.fieldMask.join(',') }),
          },
        }),
    notificationEndpoint: toEndpointResource(subscription.notificationEndpoint),
    state: subscription.state,
    ...(suspensionReason === undefined ? {} : { suspensionReason }),
    ...authorities(subscription),
    createTime: formatTimestamp(subscription.createdAt),
    updateTime: formatTimestamp(subscription.updatedAt),
    expireTime: formatTimestamp(subscription.expiresAt),
    etag: etagOf(subscription),
    ...options,
  };
}

function toEndpointResource(
  endpoint: NotificationEndpoint,
): NonNullable<SubscriptionResource['notificationEndpoint']> {
  switch (endpoint.kind) {
    case 'webhook':
      return endpoint.contentMode === 'MCP'
        ? { webhook: { uri: endpoint.uri } }
        : { webhook: { uri: endpoint.uri, contentMode: endpoint.contentMode } };
    case 'eventStream':
      return { eventStream: {} };
    case 'pubsubTopic':
      return { pubsubTopic: endpoint.topic };
    case 'natsSubject':
      return { natsSubject: endpoint.subject };
  }
}

/** Who authorized it (E2.8, E2.17, E2.18). Client ids may be URLs, but a name has only one segment for them. */
function authorities({ clientId, userId }: Subscription) {
  const client = encodeURIComponent(clientId);
  if (userId === undefined) {
    return { serviceAccountAuthority: `projects/${client}/serviceAccounts/${client}` };
  }
  const user = `users/${encodeURIComponent(userId)}`;
  return { authority: user, userAuthority: user };
}

/** Throws `ABORTED` if the caller's etag is of another version of the subscription (E2.14). */
export function refuseOtherEtag(subscription: Subscription, given: string | undefined): void {
  if (given === undefined || given === '' || given === etagOf(subscription)) return;
  const name = subscriptionName(subscription.id);
  throw new EventsError(
    'ABORTED',
    `The etag is not the current one of ${name}: read it again, then repeat your change.`,
    { reason: 'ETAG_MISMATCH', metadata: { name } },
  );
}

/** The checksum of a subscription as it stands, quotes included (E2.14). */
function etagOf({ uid, revision }: Pick<Subscription, 'uid' | 'revision'>): string {
  const digest = createHash('sha256').update(`${uid} ${revision}`).digest('base64url');
  return `"${digest.slice(0, 22)}"`;
}
