import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Random } from '../../kernel/random.ts';
import type { DeliveryQueues } from '../delivery/delivery-queues.ts';
import type { CheckEndpoint } from '../delivery/endpoints/endpoint.ts';
import type { Subscription } from '../model/subscription.ts';
import type { OperationContext } from '../operations/operation-context.ts';

/** What the use cases of subscriptions work with. */
export type SubscriptionContext = OperationContext & {
  readonly random: Random;
  readonly queues: DeliveryQueues;
  readonly checkEndpoint: CheckEndpoint;
  readonly requireRoom: RequireRoom;
  /** The host in full names of subscriptions (E10.2). */
  readonly sourceHost: string;
  /** Seals page tokens, and secrets for repetitions of create. */
  readonly sealer: Sealer;
};

/**
 * Throws `RESOURCE_EXHAUSTED` where the principal, or all together, have as many subscriptions as they may (N5), or
 * as many to pairs, for each of which a route is searched in every block.
 */
export type RequireRoom = (
  wanted: Pick<Subscription, 'principal' | 'targetResource' | 'options'>,
) => Promise<void>;
