import type { NotificationEndpoint } from '../../model/subscription.ts';
import type { DeliveryEndpoint, EndpointKinds, OpenOptions } from './endpoint.ts';

/**
 * Opens the endpoint of a subscription, if this process has its kind. Throws for a stream, which is read and not sent
 * to.
 */
export function openEndpoint(
  kinds: EndpointKinds,
  options: OpenOptions & { readonly endpoint: NotificationEndpoint },
): DeliveryEndpoint {
  const { endpoint } = options;
  switch (endpoint.kind) {
    case 'webhook':
      return kinds.webhook.open(endpoint, options);
    case 'natsSubject':
      return kinds.natsSubject?.open(endpoint, options) ?? unserved('NATS');
    case 'pubsubTopic':
      return kinds.pubsubTopic?.open(endpoint, options) ?? unserved('Pub/Sub');
    case 'eventStream':
      throw new RangeError('A stream is read, so nothing is sent to it.');
  }
}

/** For a subscription that another process accepted, or this one under other settings. */
function unserved(service: string): DeliveryEndpoint {
  return {
    origin: service,
    batchSize: 1,
    send: async () => ({
      isAccepted: false,
      error: `This process has no connection to ${service}: set it up as when the subscription was created.`,
      reason: 'ENDPOINT_NOT_FOUND',
      isFinal: false,
      isUnreachable: true,
    }),
  };
}
