import { parseUrl } from '../../kernel/text/url.ts';
import { eventsLimits } from '../limits.ts';
import type { FieldViolation } from '../model/events-error.ts';
import type { NotificationEndpoint } from '../model/subscription.ts';
import type { SubscriptionInput } from '../model/subscription-message.ts';

type EndpointInput = NonNullable<SubscriptionInput['notificationEndpoint']>;

type ReadEndpoint =
  | {
      readonly endpoint: NotificationEndpoint;
      readonly violation?: undefined;
      readonly reason?: undefined;
    }
  | {
      readonly violation: FieldViolation;
      /** The reason of the refusal where nothing else is wrong and this has one of its own. */
      readonly reason?: string;
      readonly endpoint?: undefined;
    };

// Names of Pub/Sub: a project, which may have a domain in front, and a topic.
const topicShape = /^projects\/[^/\s]+\/topics\/[A-Za-z][\w.~+%-]{0,254}$/;
// Tokens joined by dots. Wildcards are only for readers, and a leading `$` is for NATS itself.
const subjectShape = /^[^\s.*>$][^\s.*>]*(\.[^\s.*>]+)*$/;
const longestSubject = eventsLimits.natsSubject.value;
const longestUri = eventsLimits.webhookUri.value;

/**
 * Reads the endpoint: exactly one of the kinds, well formed (E2.6, E2.22, E2.23). Does not check
 * whether it can be reached and agrees, see `requireEndpoint`. A malformed topic has the reason of Google (G15).
 */
export function readEndpoint(input: EndpointInput | undefined): ReadEndpoint {
  if (input === undefined) return refuse('', 'is required');
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const kinds = 'pubsubTopic, webhook, natsSubject and eventStream';
    return refuse('', `must have exactly one of ${kinds}, and has ${given.length}`);
  }
  const { webhook, pubsubTopic, natsSubject } = input;
  if (webhook !== undefined) return readWebhook(webhook);
  if (pubsubTopic !== undefined) {
    if (!topicShape.test(pubsubTopic)) {
      const form = 'must have the form projects/{project}/topics/{topic}';
      return { ...refuse('.pubsubTopic', form), reason: 'INVALID_PUBSUB_TOPIC' };
    }
    return { endpoint: { kind: 'pubsubTopic', topic: pubsubTopic } };
  }
  if (natsSubject !== undefined) {
    if (!subjectShape.test(natsSubject) || natsSubject.length > longestSubject) {
      return refuse('.natsSubject', 'must be a subject such as orders.created, without wildcards');
    }
    return { endpoint: { kind: 'natsSubject', subject: natsSubject } };
  }
  return { endpoint: { kind: 'eventStream' } };
}

function readWebhook({ uri, contentMode }: NonNullable<EndpointInput['webhook']>): ReadEndpoint {
  const url = uri !== undefined && uri.length <= longestUri ? parseUrl(uri) : undefined;
  if (uri === undefined || url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    return refuse(
      '.webhook.uri',
      'must be an absolute http or https address of at most 2048 characters',
    );
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('.webhook.uri', 'must hold no user and password: requests are signed instead');
  }
  return { endpoint: { kind: 'webhook', uri, contentMode: contentMode ?? 'BINARY' } };
}

function refuse(field: string, description: string) {
  return { violation: { field: `notificationEndpoint${field}`, description } };
}
