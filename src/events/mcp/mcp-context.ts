import type { Network } from '../../kernel/model/network.ts';
import type { StreamWakes } from '../delivery/streams/stream-wakes.ts';
import type { EventsCaller, EventVisibility } from '../model/caller.ts';
import type { SubscriptionContext } from '../subscriptions/subscription-context.ts';
import type { DeriveMcpId } from './subscription-key.ts';
import type { VerificationContext } from './verify-callback.ts';

/** What the use cases of MCP Events work with: those of subscriptions, under names and keys of their own. */
export type McpContext = SubscriptionContext & {
  readonly deriveId: DeriveMcpId;
  readonly visibility: EventVisibility;
  /** Whether the public families are offered too (M12). */
  readonly offersAll: boolean;
  /** Networks, beyond public ones, that callbacks may reach. */
  readonly allowNetworks: readonly Network[];
  readonly verification: VerificationContext;
  /** Asks the process that delivers a subscription to write its progress. */
  catchUp(subscriptionId: string): Promise<void>;
  /** Notifies those who read events here. */
  readonly wakes: Pick<StreamWakes, 'watch' | 'ended'>;
};

/** Parameters of a method as they came, for a caller whose token was checked. */
export type McpRequest = {
  readonly caller: EventsCaller;
  readonly params: unknown;
  /** Fires when the caller wants no answer any more. */
  readonly signal: AbortSignal;
};
