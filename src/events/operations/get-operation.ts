import { requireScopes } from '../applications/require-scopes.ts';
import { type EventsCaller, principalOf } from '../caller.ts';
import { EventsError, statuses } from '../errors/events-error.ts';
import { eventsLimits } from '../limits.ts';
import type { Operation } from '../model/operation.ts';
import { findOperation } from '../store/operation-store.ts';
import type { OperationContext } from './operation-context.ts';
import { type OperationResource, toOperationResource } from './operation-resource.ts';

const day = 24 * 3_600_000;
/** How long operations are kept (E3.38). */
export const operationsKept = 30 * day;
/** No work takes a minute, so an operation that is unfinished after that ended with its process. */
const longestRun = 60_000;

/** The latest state of the caller's operation (E3.37-E3.39). Throws `NOT_FOUND`. */
export async function getOperation(
  context: Pick<OperationContext, 'database' | 'clock' | 'catalogue'>,
  { caller, name }: { readonly caller: EventsCaller; readonly name: string },
): Promise<OperationResource> {
  const { database, clock, catalogue } = context;
  const operation = await findOperation(database, name);
  const age = clock.now() - (operation?.createdAt ?? 0);
  const isThere = operation?.principal === principalOf(caller) && age <= operationsKept;
  if (operation === undefined || !isThere) {
    throw new EventsError(
      'NOT_FOUND',
      `There is no operation ${name}: it never existed, is older than 30 days, is not among your latest ${eventsLimits.operationsOfPrincipal.value}, or is not yours.`,
      { reason: 'OPERATION_NOT_FOUND', metadata: { name }, resource: { type: 'operation', name } },
    );
  }
  const eventTypes = operation.result?.response?.eventTypes ?? [];
  await requireScopes({ catalogue, caller, eventTypes, of: 'one type' });
  return toOperationResource(age > longestRun ? withEnd(operation) : operation);
}

function withEnd(operation: Operation): Operation {
  if (operation.result !== undefined) return operation;
  const message =
    'The server stopped before the operation was finished, and nothing was changed: repeat the request.';
  const error = { code: statuses.UNAVAILABLE.grpc, message, details: [] };
  return { ...operation, result: { error } };
}
