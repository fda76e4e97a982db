import type { Transaction } from '../../kernel/database/database.ts';
import type { Status } from '../events-error.ts';
import type { NewEvent } from '../publishing/event.ts';
import type {
  NotificationEndpoint,
  Subscription,
  SubscriptionId,
  SuspensionReason,
} from './subscription.ts';

/** What subscriptions need of delivery. */
export type SubscriptionDelivery = {
  /** Whether events could be sent there; asks the endpoint itself where that is its agreement. */
  checkEndpoint(
    endpoint: NotificationEndpoint,
    signal?: AbortSignal,
  ): Promise<EndpointProblem | undefined>;
  /**
   * In the transaction of create, for a webhook: keeps the signing secret, made where none is given,
   * and answers it (E14.18). Throws an `EventsError` for one that is malformed.
   */
  keepSigningSecret(
    tx: Transaction,
    secret: { readonly subscriptionId: SubscriptionId; readonly given: string | undefined },
  ): Promise<string>;
  /** In the transaction of a state change: sends one subscription an event of its own life. */
  enqueue(tx: Transaction, subscription: Subscription, event: NewEvent): Promise<void>;
};

/** Why an endpoint cannot be sent to. */
export type EndpointProblem = {
  /** How create refuses it. */
  readonly status: Status;
  /** For machines, such as `WEBHOOK_NOT_AGREED`. */
  readonly reason: string;
  readonly message: string;
  /** What it would be suspended for, told when reactivation finds it (E3.34). */
  readonly suspensionReason: SuspensionReason;
};
