import type { Queries, Transaction } from '../../../kernel/database/database.ts';
import type { Application } from '../../model/application.ts';
import type { NewEvent } from '../../model/event.ts';
import type { Subscription, SubscriptionId, SuspensionReason } from '../../model/subscription.ts';

export type QueueOpening = {
  readonly subscription: Subscription;
  /** As the request gave it, see `checkEndpoint`. If it is missing, a new one is made for a webhook. */
  readonly signingSecret: string | undefined;
  /** The subscription was created by an admin, who sees what every account publishes (F7). */
  readonly seesAll: boolean;
  /** The application that the target belongs to. */
  readonly application: Application;
};

/**
 * The queues of events, one per subscription. Every call is part of the transaction that changes the subscription,
 * so both happen or neither.
 */
export type DeliveryQueues = {
  /** Opens the queue of a new subscription and returns the signing secret of a webhook. */
  open(tx: Transaction, opening: QueueOpening): Promise<string | undefined>;
  /** Whether the endpoint ever agreed to get events, or need not be asked (N3). */
  isAgreed(queries: Pick<Queries, 'first'>, id: SubscriptionId): Promise<boolean>;
  /** Appends a lifecycle event, which is delivered also while the subscription is suspended. */
  enqueue(
    tx: Transaction,
    notice: { readonly id: SubscriptionId; readonly event: NewEvent },
  ): Promise<void>;
  /** Suspension: waiting and new events are held. */
  hold(
    tx: Transaction,
    suspension: { readonly id: SubscriptionId; readonly reason: SuspensionReason },
  ): Promise<void>;
  /** Reactivation: new events are delivered again; held events stay held. */
  resume(tx: Transaction, id: SubscriptionId): Promise<void>;
  /** Whether the owner gets what every account publishes. */
  seesAll(queries: Pick<Queries, 'first'>, id: SubscriptionId): Promise<boolean>;
  /** From now on the owner gets only what its own account publishes, where the visibility is `own` (F51). */
  narrow(tx: Pick<Transaction, 'run'>, id: SubscriptionId): Promise<unknown>;
  /** Expiry: waiting events are still delivered, the `expired` event last; then the queue is removed. */
  finish(tx: Transaction, id: SubscriptionId): Promise<void>;
  /** Deletion: no more events are delivered. */
  remove(tx: Transaction, id: SubscriptionId): Promise<void>;
};

/** Suspends a subscription whose deliveries were given up; does nothing if it is no longer active. */
export type Suspend = (id: SubscriptionId, reason: SuspensionReason) => Promise<void>;
