import { z } from 'zod';
import { fieldMask } from '../../model/proto-fields.ts';
import { subscriptionMessage } from '../../model/subscription-message.ts';
import { readers, writers } from '../../scopes.ts';
import { createSubscription } from '../../subscriptions/create-subscription.ts';
import { deleteSubscription } from '../../subscriptions/delete-subscription.ts';
import { getSubscription } from '../../subscriptions/get-subscription.ts';
import {
  listSubscriptions,
  listSubscriptionsMessage,
} from '../../subscriptions/list-subscriptions.ts';
import { getOperation, operationMessage } from '../../subscriptions/operations.ts';
import { patchSubscription } from '../../subscriptions/patch-subscription.ts';
import {
  reactivateMessage,
  reactivateSubscription,
} from '../../subscriptions/reactivate-subscription.ts';
import type { SubscriptionContext } from '../../subscriptions/subscription-context.ts';
import {
  declareMethod,
  noQuery,
  queryFlag,
  queryInt32,
  queryText,
  type ServedMethod,
  serveMethod,
} from './method.ts';

const validateOnly = queryFlag.optional().describe('Runs every check and changes nothing.');

/** The methods of the public interface (E1.1-E1.7). */
export const subscriptionMethodList = {
  create: declareMethod({
    id: 'subscriptions.create',
    method: 'POST',
    path: '/v1/subscriptions',
    parameters: z.object({
      validateOnly,
      requestId: z
        .uuidv4('must be a UUID4')
        .optional()
        .describe('Added: a UUID4. A repeated request with the same one creates nothing.'),
    }),
    request: subscriptionMessage,
    response: operationMessage,
    scopes: writers,
    quota: 'writes',
    description: 'Creates a subscription.',
  }),
  get: declareMethod({
    id: 'subscriptions.get',
    method: 'GET',
    path: '/v1/{name=subscriptions/*}',
    parameters: noQuery,
    response: subscriptionMessage,
    scopes: readers,
    quota: 'reads',
    description: 'Gets a subscription.',
  }),
  list: declareMethod({
    id: 'subscriptions.list',
    method: 'GET',
    path: '/v1/subscriptions',
    parameters: z.object({
      filter: queryText
        .optional()
        .describe(
          'Required. event_types:"…" and target_resource="…" with AND, OR, parentheses, such as event_types:"google.workspace.chat.message.v1.created" AND target_resource="//admin.googleapis.com/customers/my_customer".',
        ),
      pageSize: queryInt32.optional().describe('At most 100; 50 where it is left out or 0.'),
      pageToken: queryText.optional().describe('The nextPageToken of the previous page.'),
    }),
    response: listSubscriptionsMessage,
    scopes: readers,
    quota: 'reads',
    description: 'Lists subscriptions.',
  }),
  patch: declareMethod({
    id: 'subscriptions.patch',
    method: 'PATCH',
    path: '/v1/{name=subscriptions/*}',
    parameters: z.object({
      updateMask: fieldMask
        .optional()
        .describe('What is changed: eventTypes, expireTime or ttl; * replaces everything.'),
      validateOnly,
    }),
    request: subscriptionMessage,
    response: operationMessage,
    scopes: writers,
    quota: 'writes',
    description: 'Changes a subscription or its end.',
  }),
  delete: declareMethod({
    id: 'subscriptions.delete',
    method: 'DELETE',
    path: '/v1/{name=subscriptions/*}',
    parameters: z.object({
      validateOnly,
      allowMissing: queryFlag.optional().describe('Succeeds even if there is nothing to delete.'),
      etag: queryText.optional().describe('Deletes the subscription only if it has this etag.'),
    }),
    response: operationMessage,
    scopes: writers,
    quota: 'writes',
    description: 'Deletes a subscription.',
  }),
  reactivate: declareMethod({
    id: 'subscriptions.reactivate',
    method: 'POST',
    path: '/v1/{name=subscriptions/*}:reactivate',
    parameters: noQuery,
    request: reactivateMessage,
    response: operationMessage,
    scopes: writers,
    quota: 'writes',
    description: 'Makes a suspended subscription active again.',
  }),
  getOperation: declareMethod({
    id: 'operations.get',
    method: 'GET',
    path: '/v1/{name=operations/**}',
    parameters: noQuery,
    response: operationMessage,
    scopes: readers,
    description: 'Gets the latest state of an operation.',
  }),
};

/** The same methods with their handlers. */
export function subscriptionMethods(context: SubscriptionContext): ServedMethod[] {
  const { create, get, list, patch, delete: remove, reactivate } = subscriptionMethodList;
  return [
    serveMethod(create, async ({ caller, query, readBody }) =>
      createSubscription(context, {
        caller,
        body: await readBody(),
        validateOnly: query.validateOnly ?? false,
        requestId: query.requestId,
      }),
    ),
    serveMethod(get, ({ caller, name }) => getSubscription(context, { caller, name })),
    serveMethod(list, ({ caller, query }) => listSubscriptions(context, { caller, ...query })),
    serveMethod(patch, async ({ caller, name, query, readBody }) =>
      patchSubscription(context, {
        caller,
        name,
        body: await readBody(),
        updateMask: query.updateMask,
        validateOnly: query.validateOnly ?? false,
      }),
    ),
    serveMethod(remove, ({ caller, name, query }) =>
      deleteSubscription(context, {
        caller,
        name,
        etag: query.etag,
        allowMissing: query.allowMissing ?? false,
        validateOnly: query.validateOnly ?? false,
      }),
    ),
    serveMethod(reactivate, async ({ caller, name, readBody }) =>
      reactivateSubscription(context, { caller, name, body: await readBody() }),
    ),
    serveMethod(subscriptionMethodList.getOperation, ({ caller, name }) =>
      getOperation(context, { caller, name }),
    ),
  ];
}
