import type { Quotas } from './http/create-quotas.ts';
import type { Method } from './http/methods/method.ts';
import { subscriptionMethodList } from './http/methods/subscription-methods.ts';
import { createQueryReader } from './http/standard-query.ts';
import type { EventsCaller } from './model/caller.ts';
import { insufficientScope } from './model/events-error.ts';
import { createSubscription } from './subscriptions/create-subscription.ts';
import { deleteSubscription } from './subscriptions/delete-subscription.ts';
import { getSubscription } from './subscriptions/get-subscription.ts';
import { listSubscriptions } from './subscriptions/list-subscriptions.ts';
import { reactivateSubscription } from './subscriptions/reactivate-subscription.ts';
import type { SubscriptionContext } from './subscriptions/subscription-context.ts';

/**
 * The subscription methods of one caller, for other parts of the process. Bodies and answers are those of the HTTP
 * interface.
 */
export type CallerUseCases = {
  /** Returns the subscription, or the operation if it is still running; so does `reactivate`. */
  create(body: object): Promise<object>;
  get(name: string): Promise<object>;
  /** Takes the query parameters of the HTTP interface, as text. */
  list(query: Readonly<Record<string, string>>): Promise<object>;
  delete(name: string): Promise<object>;
  reactivate(name: string): Promise<object>;
};

/** Applies the scopes and quotas of HTTP requests to callers inside the process. */
export function createCallerUseCases(
  context: SubscriptionContext,
  quotas: Quotas,
): (caller: EventsCaller) => CallerUseCases {
  const methods = subscriptionMethodList;
  const readListQuery = createQueryReader(methods.list);
  return (caller) => {
    const admit = async ({ id, scopes, quota }: Method) => {
      const isAllowed = scopes.some((scope) => caller.scope.includes(scope));
      if (!isAllowed) throw insufficientScope(scopes, { what: id });
      if (quota !== undefined) await quotas.take(quota, caller);
    };
    return {
      async create(body) {
        await admit(methods.create);
        const operation = await createSubscription(context, { caller, body });
        return operation.response ?? operation;
      },
      async get(name) {
        await admit(methods.get);
        return getSubscription(context, { caller, name });
      },
      async list(parameters) {
        await admit(methods.list);
        const { query } = readListQuery(new URLSearchParams(parameters));
        return listSubscriptions(context, { caller, ...query });
      },
      async delete(name) {
        await admit(methods.delete);
        return deleteSubscription(context, { caller, name });
      },
      async reactivate(name) {
        await admit(methods.reactivate);
        const operation = await reactivateSubscription(context, { caller, name });
        return operation.response ?? operation;
      },
    };
  };
}
