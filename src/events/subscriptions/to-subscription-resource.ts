import type { NotificationEndpoint, Subscription } from '../model/subscription.ts';
import type { SubscriptionResource } from '../model/subscription-message.ts';
import { subscriptionName } from '../model/subscription-name.ts';
import { formatTimestamp } from '../proto-json/timestamp.ts';
import { etagOf } from './checks/etag.ts';

/**
 * A subscription as answers show it. A signing secret is not part of it, and `reconciling` is never
 * true: a change is applied as a whole, in one transaction (E2.13).
 */
export function toSubscriptionResource(subscription: Subscription): SubscriptionResource {
  const { id, uid, payloadOptions, options, suspensionReason } = subscription;
  return {
    name: subscriptionName(id),
    uid,
    targetResource: subscription.targetResource,
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
      return { webhook: { uri: endpoint.uri, contentMode: endpoint.contentMode } };
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
