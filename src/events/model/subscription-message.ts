import { z } from 'zod';
import { applicationOptions } from './application-options.ts';
import { duration, enumOf, fieldMask, flag, text, timestamp } from './proto-fields.ts';
import { contentModes, suspensionReasons } from './subscription.ts';

const outputOnly = { readOnly: true };

const state = enumOf(
  {
    STATE_UNSPECIFIED: 'Never returned.',
    ACTIVE: 'Events are delivered.',
    SUSPENDED: 'An error keeps events from being delivered; suspensionReason names it.',
    DELETED: 'Deleted or expired, and gone.',
  },
  ['STATE_UNSPECIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED'],
);

const suspensionReason = enumOf(
  {
    ERROR_TYPE_UNSPECIFIED: 'Never returned.',
    USER_SCOPE_REVOKED: 'The user withdrew a scope that is needed.',
    RESOURCE_DELETED: 'The target resource is gone.',
    USER_AUTHORIZATION_FAILURE: 'The user lost access to the target resource.',
    ENDPOINT_PERMISSION_DENIED: 'The server may not publish to the endpoint.',
    OTHER: 'A cause with no name of its own.',
    ENDPOINT_NOT_FOUND: 'The endpoint does not exist.',
    ENDPOINT_RESOURCE_EXHAUSTED: 'A quota or rate limit of the endpoint is used up.',
    APP_SCOPE_REVOKED: 'A scope of the client was withdrawn.',
    APP_AUTHORIZATION_FAILURE: 'The client lost access to the target resource.',
  },
  ['ERROR_TYPE_UNSPECIFIED', ...suspensionReasons],
  // The reasons of applications have no number in the published interface.
  suspensionReasons.indexOf('APP_SCOPE_REVOKED') + 1,
);

const contentMode = enumOf(
  {
    BINARY: 'One event a request: attributes as headers, data as body. The default.',
    STRUCTURED: 'One event a request, attributes and data in one JSON body.',
    BATCH: 'Several events a request, as a JSON list.',
  },
  contentModes,
);

const webhookMessage = z
  .strictObject(
    {
      uri: text.optional().describe('Required. Where events are posted to.'),
      contentMode: contentMode.optional().describe('How CloudEvents are written.'),
      signingSecret: text
        .optional()
        .describe(
          'Input only. `whsec_` followed by base64; generated and returned by create if left out.',
        ),
    },
    'must be an object with uri',
  )
  .meta({ id: 'Webhook', description: 'An HTTP endpoint of the receiver.' });

const eventStreamMessage = z.strictObject({}, 'must be an empty object').meta({
  id: 'EventStreamEndpoint',
  description: 'Events are read from this server as a stream of server-sent events.',
});

const notificationEndpointMessage = z
  .strictObject(
    {
      pubsubTopic: text.optional().describe('A topic, `projects/{project}/topics/{topic}`.'),
      webhook: webhookMessage.optional(),
      natsSubject: text.optional().describe('A NATS subject.'),
      eventStream: eventStreamMessage.optional(),
    },
    'must be an object',
  )
  .meta({ id: 'NotificationEndpoint', description: 'Where events go: exactly one of its fields.' });

const payloadOptionsMessage = z
  .strictObject(
    {
      includeResource: flag
        .optional()
        .describe('Whether events hold the resource, not only its name.'),
      fieldMask: fieldMask
        .optional()
        .describe('The fields of the resource that events hold; left out, all of them.'),
    },
    'must be an object',
  )
  .meta({ id: 'PayloadOptions', description: 'What events contain of the resource.' });

/** The option fields of applications. Each application defines the type of its own. */
const optionFields: object = Object.fromEntries(
  applicationOptions.map(({ field, message }) => [field, message.optional()]),
);

/** The Subscription of the interface, as requests bring it and as answers show it. */
export const subscriptionMessage = z
  .strictObject(
    {
      name: text.optional().meta({ description: 'Identifier, `subscriptions/{id}`.' }),
      uid: text.optional().meta({ ...outputOnly, description: 'A UUID4 that is never reused.' }),
      targetResource: text
        .optional()
        .describe('Required. Immutable. Full name of the resource, `//{service}/{path}`.'),
      eventTypes: z
        .array(text, 'must be a list of event types')
        .optional()
        .describe('Required. Unordered. The event types to deliver.'),
      payloadOptions: payloadOptionsMessage.optional(),
      notificationEndpoint: notificationEndpointMessage.optional(),
      state: state
        .optional()
        .meta({ ...outputOnly, description: 'The state of the subscription.' }),
      suspensionReason: suspensionReason
        .optional()
        .meta({ ...outputOnly, description: 'Why it is suspended: the first error.' }),
      authority: text
        .optional()
        .meta({ ...outputOnly, description: 'The user who authorized it, `users/{user}`.' }),
      userAuthority: text
        .optional()
        .meta({ ...outputOnly, description: 'The user who authorized it, `users/{user}`.' }),
      serviceAccountAuthority: text.optional().meta({
        ...outputOnly,
        description:
          'The client that authorized it for itself, `projects/{project}/serviceAccounts/{client}`.',
      }),
      createTime: timestamp.optional().meta({ ...outputOnly, description: 'When it was created.' }),
      updateTime: timestamp
        .optional()
        .meta({ ...outputOnly, description: 'When it or its state last changed.' }),
      expireTime: timestamp.optional().describe('When it ends. Not together with ttl.'),
      ttl: duration
        .optional()
        .describe('Input only. How long it lives from now; 0 or left out for as long as possible.'),
      reconciling: flag
        .optional()
        .meta({ ...outputOnly, description: 'Whether a change is being applied.' }),
      etag: text
        .optional()
        .describe(
          'A checksum. If it is sent with a change, the change is made only if it is still current.',
        ),
      ...optionFields,
    },
    'must be a Subscription as a JSON object',
  )
  .meta({ id: 'Subscription', description: 'A subscription to the events of a resource.' });

/** A subscription as a request gives it. */
export type SubscriptionInput = z.output<typeof subscriptionMessage>;
/** A subscription as JSON answers show it. */
export type SubscriptionResource = z.input<typeof subscriptionMessage>;
