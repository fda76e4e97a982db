export const deliveryStates = ['PENDING', 'RETRYING', 'DELIVERED', 'HELD', 'UNDELIVERED'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The outcome of one event for one subscription. */
export type LoggedDelivery = {
  readonly number: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly state: DeliveryState;
  /** Always set where it was held or given up. */
  readonly reason: string | undefined;
  readonly createdAt: number;
  readonly nextAttemptAt: number | undefined;
  readonly attempts: readonly Attempt[];
};

/** One attempt at events `first` to `last` of a lane. */
export type Attempt = {
  readonly first: number;
  readonly last: number;
  readonly at: number;
  readonly durationMs: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  /** The beginning of the endpoint's answer. */
  readonly response?: string | undefined;
  /** Whether the answer was longer than what is kept. */
  readonly isResponseCut?: boolean | undefined;
};
