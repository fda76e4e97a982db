import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { DeliveryQueues } from '../delivery/delivery-queues.ts';
import type { CheckEndpoint } from '../delivery/endpoints/endpoint.ts';
import type { FindHeldScopes } from '../model/caller.ts';
import type { Subscription } from '../model/subscription.ts';
import type { OperationContext } from './operations.ts';

/** What the use cases of subscriptions work with. */
export type SubscriptionContext = OperationContext & {
  readonly random: Random;
  readonly queues: DeliveryQueues;
  readonly checkEndpoint: CheckEndpoint;
  readonly requireRoom: RequireRoom;
  /** What authorities hold at the moment. Without it a token is enough as long as it lives. */
  readonly heldScopes?: FindHeldScopes | undefined;
  /** The host in full names of subscriptions (E10.2). */
  readonly sourceHost: string;
  /** Seals page tokens. */
  readonly sealer: Sealer;
};

/**
 * Throws `RESOURCE_EXHAUSTED` if the account, over all its clients, or all together have as many subscriptions as allowed (N5),
 * or as many to pairs, each of which needs a route search in every block.
 */
export type RequireRoom = (
  wanted: Pick<Subscription, 'principal' | 'userId' | 'targetResource' | 'options'>,
) => Promise<void>;
