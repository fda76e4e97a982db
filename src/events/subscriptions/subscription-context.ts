import type { Clock } from '../../kernel/clock.ts';
import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Random } from '../../kernel/random.ts';
import type { Catalogue } from '../applications/application.ts';
import type { DeliveryQueues } from '../delivery/delivery-queues.ts';
import type { CheckEndpoint } from '../delivery/endpoint.ts';
import type { BackgroundWork } from '../operations/background-work.ts';
import type { SwapSource } from '../sources/create-swap-source.ts';

/** What the use cases of subscriptions work with. */
export type SubscriptionContext = {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly catalogue: Catalogue;
  readonly queues: DeliveryQueues;
  readonly checkEndpoint: CheckEndpoint;
  /** What subscriptions to pairs begin with, where this process knows prices. */
  readonly pairs?: Pick<SwapSource, 'readStart' | 'keepStart'> | undefined;
  /** Host and port of the public URL, the domain of errors (E8.20). */
  readonly errorDomain: string;
  /** The host in full names of subscriptions (E10.2). */
  readonly sourceHost: string;
  /** Seals page tokens, and secrets for repetitions of create. */
  readonly sealer: Sealer;
  readonly background: BackgroundWork;
};
