import { createApplications } from './applications/create-applications.ts';
import type { RefreshableCatalogue } from './applications/create-catalogue.ts';
import type { Delivery } from './create-delivery.ts';
import type { Quotas } from './http/create-quotas.ts';
import { applicationMethods } from './http/methods/application-methods.ts';
import type { ServedMethod } from './http/methods/method.ts';
import { publishMethod } from './http/methods/publish-method.ts';
import { monitorMethods } from './http/methods/serve-monitor.ts';
import { subscriptionMethods } from './http/methods/subscription-methods.ts';
import type { EventVisibility } from './model/lane-sight.ts';
import type { StorageMeter } from './publishing/create-storage-meter.ts';
import { findReadableSubscription } from './subscriptions/get-subscription.ts';
import { suspendAllOfTypes } from './subscriptions/lifecycle/suspend-all-of-types.ts';
import type { SubscriptionContext } from './subscriptions/subscription-context.ts';

export type EventsMethodsOptions = {
  readonly settings: { readonly eventVisibility: EventVisibility };
  readonly context: SubscriptionContext & { readonly catalogue: RefreshableCatalogue };
  readonly delivery: Delivery;
  readonly quotas: Quotas;
  readonly storage: StorageMeter;
  /** Whether a client is the server's own console; without it none is. */
  readonly isConsole?: ((clientId: string) => boolean) | undefined;
};

/** Every method of the events API with the use case that answers it. */
export function serveEventsMethods(options: EventsMethodsOptions): ServedMethod[] {
  const { context, delivery, quotas, storage, settings, isConsole = () => false } = options;
  const { database, catalogue, clock } = context;
  const { publisher, catchUp } = delivery;
  const applications = createApplications({
    database,
    catalogue,
    clock,
    suspendAll: (eventTypes) => suspendAllOfTypes(context, eventTypes),
  });
  return [
    ...subscriptionMethods(context),
    ...delivery.methods({
      findOwn: (caller, name) => findReadableSubscription(context, { caller, name }),
    }),
    publishMethod({ publisher, catalogue, quotas, storage, clock }),
    ...applicationMethods(applications),
    ...monitorMethods({
      ...delivery.monitoring,
      context: {
        ...context,
        publisher,
        visibility: settings.eventVisibility,
        isConsole,
        catchUp,
        inTurn: delivery.inTurn,
      },
    }),
  ];
}
