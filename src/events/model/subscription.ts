import type { Brand } from '../../kernel/model/brand.ts';
import type { SubscriptionOptions } from './application-options.ts';

/** The id in `subscriptions/{id}`; it holds neither `:` nor `/`. */
export type SubscriptionId = Brand<string, 'SubscriptionId'>;

export const suspensionReasons = [
  'USER_SCOPE_REVOKED',
  'RESOURCE_DELETED',
  'USER_AUTHORIZATION_FAILURE',
  'ENDPOINT_PERMISSION_DENIED',
  'OTHER',
  'ENDPOINT_NOT_FOUND',
  'ENDPOINT_RESOURCE_EXHAUSTED',
  'APP_SCOPE_REVOKED',
  'APP_AUTHORIZATION_FAILURE',
] as const;
export type SuspensionReason = (typeof suspensionReasons)[number];

export const contentModes = ['BINARY', 'STRUCTURED', 'BATCH'] as const;
/** `MCP` is the form of MCP Events, which only an MCP client can ask for. */
export type ContentMode = (typeof contentModes)[number] | 'MCP';

/** Where events go. The signing secret of a webhook is kept by the delivery side, sealed. */
export type NotificationEndpoint =
  | {
      readonly kind: 'webhook';
      readonly uri: string;
      readonly contentMode: ContentMode;
      /** The id by which the MCP client that asked for it knows the subscription, see `McpTerms`. */
      readonly mcpId?: string | undefined;
    }
  | { readonly kind: 'eventStream' }
  | { readonly kind: 'pubsubTopic'; readonly topic: string }
  | { readonly kind: 'natsSubject'; readonly subject: string };

export type PayloadOptions = {
  readonly includeResource: boolean;
  /** Paths in camelCase; empty means all fields. */
  readonly fieldMask: readonly string[];
};

/** How an MCP client asked for a subscription (M15, M16). */
export type McpTerms = {
  /** `sub_…`, derived from the key: another subscription with the same key has the same one. */
  readonly id: string;
  readonly name: string;
  /** As they were sent, before defaults. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The position in all stored events after which its queue begins. */
  readonly since: number;
};

/**
 * A subscription. One that was deleted or has expired is kept as `DELETED` for as long as operations are, for repeated
 * deletions and the live feed; get and list do not return it.
 */
export type Subscription = {
  readonly id: SubscriptionId;
  readonly uid: string;
  /** The owner, see `principalOf`. */
  readonly principal: string;
  readonly clientId: string;
  /** The person who authorized it; undefined where the client acts for itself. */
  readonly userId: string | undefined;
  /** By the one name that it has, whichever was given. */
  readonly targetResource: string;
  /** As the request spelled it, if otherwise (G6). */
  readonly targetSpelling: string | undefined;
  readonly eventTypes: readonly string[];
  readonly payloadOptions: PayloadOptions | undefined;
  readonly notificationEndpoint: NotificationEndpoint;
  /** The options of its application, completed with the defaults. */
  readonly options: SubscriptionOptions;
  readonly state: 'ACTIVE' | 'SUSPENDED' | 'DELETED';
  readonly suspensionReason: SuspensionReason | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  /** Set if an MCP client asked for it. */
  readonly mcp?: McpTerms | undefined;
  /** Grows with each change; the etag is made from it. */
  readonly revision: number;
};

/** `subscriptions/{id}`, as the interface names a subscription. */
export function subscriptionName(id: string): string {
  return `subscriptions/${id}`;
}

/** The id or uid in `subscriptions/{id}`. */
export function idIn(name: string): string {
  return name.replace(/^subscriptions\//, '');
}

/** The full name of a subscription, which is the source of its events (E10.2). */
export function fullSubscriptionName(id: string, sourceHost: string): string {
  return `//${sourceHost}/${subscriptionName(id)}`;
}
