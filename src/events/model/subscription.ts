import type { Brand } from '../../kernel/brand.ts';

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
export type ContentMode = (typeof contentModes)[number];

/** Where events go. The signing secret of a webhook is kept by the delivery side, sealed. */
export type NotificationEndpoint =
  | { readonly kind: 'webhook'; readonly uri: string; readonly contentMode: ContentMode }
  | { readonly kind: 'eventStream' }
  | { readonly kind: 'pubsubTopic'; readonly topic: string }
  | { readonly kind: 'natsSubject'; readonly subject: string };

export type PayloadOptions = {
  readonly includeResource: boolean;
  /** Paths in camelCase; empty means all fields. */
  readonly fieldMask: readonly string[];
};

/** When the price of a watched pair counts as moved. */
export type SwapOptions = {
  /** In the smallest unit of the token that is sold; one whole unit of it where it is left out. */
  readonly amount?: string;
  readonly thresholdBps: number;
  /** The shortest time between two events. */
  readonly intervalSeconds: number;
};

/**
 * A subscription as it stands. One that was deleted or has expired is kept a while as `DELETED`, so
 * that its last events find their endpoint; no method shows it.
 */
export type Subscription = {
  readonly id: SubscriptionId;
  readonly uid: string;
  /** Whose it is, see `principalOf`. */
  readonly principal: string;
  readonly clientId: string;
  /** The person who authorized it; undefined where the client acts for itself. */
  readonly userId: string | undefined;
  readonly targetResource: string;
  readonly eventTypes: readonly string[];
  readonly payloadOptions: PayloadOptions | undefined;
  readonly notificationEndpoint: NotificationEndpoint;
  readonly driveOptions: { readonly includeDescendants: boolean } | undefined;
  /** Of a pair, completed with the defaults; undefined for other targets. */
  readonly swapOptions: SwapOptions | undefined;
  readonly state: 'ACTIVE' | 'SUSPENDED' | 'DELETED';
  readonly suspensionReason: SuspensionReason | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  /** Grows with each change; the etag is made from it. */
  readonly revision: number;
};
