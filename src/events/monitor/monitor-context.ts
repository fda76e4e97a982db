import type { EventsCaller } from '../caller.ts';
import type { EventVisibility } from '../publishing/index-matches.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { SubscriptionContext } from '../subscriptions/subscription-context.ts';

/** What those work with who look after subscriptions, their own or everybody's. */
export type MonitorContext = SubscriptionContext & {
  readonly publisher: Pick<Publisher, 'publishTo'>;
  readonly visibility: EventVisibility;
  /** Whether a client is the server's own console, in which people look after all that is theirs. */
  isConsole(clientId: string): boolean;
  /** Has whoever delivers a subscription write down what is known of it. */
  catchUp(subscriptionId: string): Promise<void>;
};

/** Who asks, and for which subscription. */
export type MonitorRequest = { readonly caller: EventsCaller; readonly name: string };
