import { facts } from './facts.ts';

/** A subscription as `/v1/monitor` shows it. */
export type Monitored = {
  readonly subscription: {
    readonly name: string;
    readonly targetResource: string;
    readonly eventTypes: readonly string[];
    readonly notificationEndpoint: Endpoint;
    readonly state: 'ACTIVE' | 'SUSPENDED' | 'DELETED';
    readonly suspensionReason?: string;
    readonly createTime: string;
    readonly expireTime: string;
  };
  readonly clientId: string;
  readonly userId?: string;
  readonly waiting: number;
  readonly failingSince?: string;
  readonly nextAttemptTime?: string;
  readonly undelivered?: number;
};

export type Endpoint = {
  readonly webhook?: {
    readonly uri: string;
    readonly contentMode?: string;
    readonly signingSecret?: string;
  };
  readonly pubsubTopic?: string;
  readonly natsSubject?: string;
  readonly eventStream?: object;
};

type Message = { readonly body: string; readonly truncated: boolean };

/** One attempt at a delivery. */
export type Attempt = {
  readonly name: string;
  readonly time: string;
  readonly durationMs: number;
  readonly outcome: 'ACCEPTED' | 'FAILED';
  readonly status?: number;
  readonly error?: string;
  readonly eventCount: number;
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly subject: string;
  }[];
  readonly request?: Message & {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly response?: Message;
};

/** An event that was held or given up. */
export type Undelivered = {
  readonly eventId: string;
  readonly eventType: string;
  readonly state: string;
  readonly reason?: string;
  readonly createTime: string;
};

export type PublishedEvent = {
  readonly name: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly acceptTime: string;
  readonly publisher?: string;
  readonly data?: object;
  readonly dataBytes: number;
};

export type Sample = {
  readonly type: string;
  readonly subject: string;
  readonly data: object;
  readonly publishable: boolean;
};

export type SampledApplication = {
  readonly name: string;
  readonly builtIn: boolean;
  readonly scopes: readonly string[];
  readonly targets: readonly {
    readonly pattern: string;
    readonly eventTypes: readonly string[];
    /** If set, only a client that acts for itself may subscribe, with this scope. */
    readonly clientScope?: string;
  }[];
  readonly samples: readonly Sample[];
  readonly subscriptions?: number;
};

/** Whether it is a lifecycle event of the subscription itself: such an event is sent once and never again. */
export function isNotice(type: string): boolean {
  return type.startsWith('google.workspace.events.subscription.');
}

/** Webhooks of this server, for those who have none of their own yet. */
export const testReceivers = [
  { value: `${facts.origin}/console/test-receiver/accept`, text: 'the test receiver' },
  { value: `${facts.origin}/console/test-receiver/refuse`, text: 'the test receiver that refuses' },
];

/** Where events go, in a few words. */
export function describeEndpoint(endpoint: Endpoint): string {
  const { webhook } = endpoint;
  if (webhook !== undefined)
    return testReceivers.find(({ value }) => value === webhook.uri)?.text ?? webhook.uri;
  if (endpoint.pubsubTopic !== undefined) return endpoint.pubsubTopic;
  if (endpoint.natsSubject !== undefined) return `NATS ${endpoint.natsSubject}`;
  return 'a stream at this server';
}
