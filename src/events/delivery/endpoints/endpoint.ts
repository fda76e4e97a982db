import type { Status } from '../../model/events-error.ts';
import { parseSigningSecrets, signingSecretForm } from '../../model/signing-secret.ts';
import type { NotificationEndpoint, SuspensionReason } from '../../model/subscription.ts';
import type { OutgoingBatch } from '../outgoing-event.ts';

/** The result of sending a batch to an endpoint. */
export type SendOutcome = SendAcceptance | SendFailure;

/** The beginning of an endpoint's answer, which may still be arriving. */
export type AnswerBody = { readonly body: Uint8Array; readonly isOver: boolean };

type SendAcceptance = {
  readonly isAccepted: true;
  readonly status?: number;
  readonly answer?: AnswerBody;
};

export type SendFailure = {
  readonly isAccepted: false;
  readonly status?: number;
  readonly answer?: AnswerBody;
  /** For the delivery log: what happened, without secrets of the address. */
  readonly error: string;
  /** Why the subscription is suspended if this does not end. */
  readonly reason: SuspensionReason;
  /** The endpoint is gone for good: no retry. */
  readonly isFinal: boolean;
  /** Nothing answered, so other calls to the same origin wait too. */
  readonly isUnreachable: boolean;
  /** How long the endpoint asks to wait before the next attempt, in milliseconds. */
  readonly retryAfter?: number;
  /** The receiver will not take this event, now or after a few attempts; the next one follows (M43). */
  readonly endsDelivery?: 'at once' | 'after some';
  /** The endpoint did not agree: neither its answer nor its duration is shown (N3). */
  readonly isUntold?: true;
};

/** Where the events of one subscription go. */
export type DeliveryEndpoint = {
  /** Calls to one origin share a limit: scheme, host and port of a webhook, the name of a broker. */
  readonly origin: string;
  /** How many events one call may carry. */
  readonly batchSize: number;
  /** Notices are control bodies for an MCP client, whose outcome does not count (M46). */
  readonly hasControlBodies?: boolean;
  /** Rejects only if its signal fires. */
  send(batch: OutgoingBatch, signal: AbortSignal): Promise<SendOutcome>;
};

/** Why an endpoint is refused at create or reactivate. */
export type EndpointProblem = {
  readonly status: Status;
  readonly reason: string;
  readonly message: string;
  /** The part of `notificationEndpoint` that is wrong, if it is only a part. */
  readonly field?: string;
  /** The suspension reason of a subscription that has this problem. */
  readonly suspensionReason: SuspensionReason;
};

type OfKind<Kind extends NotificationEndpoint['kind']> = Extract<
  NotificationEndpoint,
  { kind: Kind }
>;

/** A secret that deliveries are signed with, or several separated by spaces. */
export type WebhookSecret = {
  readonly secret: string;
  /** When it stops signing; left out for the one that is in force. */
  readonly until?: number;
};

/** How an endpoint is checked. */
export type CheckOptions = {
  /** At reactivate: whether the endpoint ever agreed. One that did not is asked before its first event. */
  readonly isAgreed?: boolean;
  /** At reactivate: the error that suspended the subscription; the endpoint must no longer have it. */
  readonly suspendedFor?: SuspensionReason | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What a lane knows of its endpoint. */
type OpenOptions = {
  readonly secrets: readonly WebhookSecret[];
  /** If it is left out, the endpoint has not agreed. */
  readonly agreement?: Agreement;
};

/** Whether the endpoint agreed to get events, and how to store that it did (N3). */
type Agreement = {
  readonly isGiven: boolean;
  keep(): Promise<void>;
};

/** One kind of endpoint that events are pushed to. Streams and topics of this server are read instead. */
export type EndpointKind<Kind extends NotificationEndpoint['kind']> = {
  /** Undefined where the endpoint may be used. */
  check(endpoint: OfKind<Kind>, options?: CheckOptions): Promise<EndpointProblem | undefined>;
  /** Whether it is asked to agree before its first event, and not when it is checked (N3). */
  isAskedLater?(endpoint: OfKind<Kind>): boolean;
  open(endpoint: OfKind<Kind>, options: OpenOptions): DeliveryEndpoint;
};

/** The kinds this process can push to. Without `pubsubTopic` this server keeps the topics itself. */
export type EndpointKinds = {
  readonly webhook: EndpointKind<'webhook'>;
  readonly natsSubject?: EndpointKind<'natsSubject'>;
  readonly pubsubTopic?: EndpointKind<'pubsubTopic'>;
};

/** The check of create and reactivate, over all kinds. `signingSecret` is that of the request. */
export type CheckEndpoint = (
  endpoint: NotificationEndpoint,
  options?: CheckOptions & { readonly signingSecret?: string | undefined },
) => Promise<EndpointProblem | undefined>;

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

/** Checks an endpoint at create and reactivate, by the rules of its kind. */
export function createCheckEndpoint(kinds: EndpointKinds): CheckEndpoint {
  return async (endpoint, { signingSecret, ...options } = {}) => {
    if (signingSecret !== undefined && parseSigningSecrets(signingSecret) === undefined) {
      return {
        status: 'INVALID_ARGUMENT',
        reason: 'SIGNING_SECRET_INVALID',
        message: signingSecretForm,
        field: 'webhook.signingSecret',
        suspensionReason: 'OTHER',
      };
    }
    switch (endpoint.kind) {
      case 'webhook':
        return kinds.webhook.check(endpoint, options);
      case 'natsSubject':
        if (kinds.natsSubject) return kinds.natsSubject.check(endpoint, options);
        return {
          status: 'FAILED_PRECONDITION',
          reason: 'NATS_NOT_CONFIGURED',
          message: 'This server has no NATS server to publish to: set TRADEWIND_NATS_URL.',
          suspensionReason: 'ENDPOINT_NOT_FOUND',
        };
      case 'pubsubTopic':
        return kinds.pubsubTopic?.check(endpoint, options);
      case 'eventStream':
        return undefined;
    }
  };
}
