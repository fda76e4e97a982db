import type { InTurn } from '../../kernel/time/bound-turns.ts';
import type { EventsCaller } from '../caller.ts';
import type { EventVisibility } from '../model/lane-sight.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { SubscriptionContext } from '../subscriptions/subscription-context.ts';

/** What the use cases of the monitor work with. */
export type MonitorContext = SubscriptionContext & {
  readonly publisher: Pick<Publisher, 'publishTo'>;
  readonly visibility: EventVisibility;
  /** Whether a client is the server's own console, in which people monitor everything of their own. */
  isConsole(clientId: string): boolean;
  /** Asks the process that delivers a subscription to write its progress. */
  catchUp(subscriptionId: string): Promise<void>;
  /** Runs long work in steps. */
  readonly inTurn: InTurn;
};

/** Who asks, and for which subscription. */
export type MonitorRequest = { readonly caller: EventsCaller; readonly name: string };
