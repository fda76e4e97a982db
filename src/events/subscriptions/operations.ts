import { z } from 'zod';
import type { Database } from '../../kernel/database/database.ts';
import { errorDetails } from '../../kernel/edge/status-error.ts';
import { drawHex, type Random } from '../../kernel/model/random.ts';
import { createPruner, type PrunerOptions, type Worker } from '../../kernel/process/worker.ts';
import type { Logger } from '../../kernel/telemetry/logger.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { orLate } from '../../kernel/wait/deadline.ts';
import { requireScopes } from '../applications/require-scopes.ts';
import { eventsLimits } from '../limits.ts';
import type { Catalogue } from '../model/application.ts';
import { type EventsCaller, principalOf } from '../model/caller.ts';
import { EventsError, statuses } from '../model/events-error.ts';
import { flag, int32, text } from '../model/proto-fields.ts';
import { pruneCallbackPasses } from '../store/mcp-store.ts';
import {
  findOperation,
  type Operation,
  type OperationError,
  type OperationKind,
  pruneOldestOperations,
  pruneOldestOperationsOfEach,
  pruneOperations,
  putOperation,
} from '../store/operation-store.ts';
import { pruneOldestSubscriptions, pruneSubscriptions } from '../store/subscription-store.ts';

const day = 24 * 3_600_000;
/** How long operations are kept (E3.38). */
const operationsKept = 30 * day;
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
  const { eventTypes = [], targetResource } = operation.result?.response ?? {};
  await requireScopes({ catalogue, caller, eventTypes, targetResource, of: 'one type' });
  return toOperationResource(age > longestRun ? withEnd(operation) : operation);
}

function withEnd(operation: Operation): Operation {
  if (operation.result !== undefined) return operation;
  const message =
    'The server stopped before the operation was finished, and nothing was changed: repeat the request.';
  const error = { code: statuses.UNAVAILABLE.grpc, message, details: [] };
  return { ...operation, result: { error } };
}

/** An operation that begins now. Its name cannot be guessed. */
export function newOperation(
  { random, now }: { readonly random: Random; readonly now: number },
  options: Pick<Operation, 'kind' | 'subscriptionId'> & {
    readonly caller: EventsCaller;
    readonly requestId?: string | undefined;
  },
): Operation {
  const { caller, kind, subscriptionId, requestId } = options;
  return {
    name: `operations/${drawHex(random, 16)}`,
    principal: principalOf(caller),
    kind,
    subscriptionId,
    requestId,
    createdAt: now,
    result: undefined,
  };
}

/** How long the answer waits for the work. Clients wait for 60 s, and people for less. */
const patienceMs = 5_000;

/**
 * Returns the operation that `work` finishes and stores. If that takes longer than a few seconds, for instance because
 * an endpoint is slow to agree, returns the running operation. The work then goes on, and a failure is stored in the
 * operation (E4.5). An earlier failure is thrown.
 */
export async function runOperation(
  context: Pick<OperationContext, 'database' | 'clock' | 'background' | 'errorDomain'>,
  { operation, work }: { readonly operation: Operation; work(): Promise<Operation> },
): Promise<Operation> {
  const { database, clock, background, errorDomain } = context;
  const working = work();
  const late = () => undefined;
  const finished = await orLate(working, { clock, milliseconds: patienceMs, late });
  if (finished !== undefined) return finished;

  await putOperation(database, operation);
  const keepFailure = async (error: unknown) => {
    const told = toOperationError(error, errorDomain);
    await putOperation(database, { ...operation, result: { error: told } });
    if (!(error instanceof EventsError)) throw error;
  };
  background.follow(working.catch(keepFailure));
  return operation;
}

/** The content of `Operation.error` (E4.4); for a bug it has no details. */
function toOperationError(error: unknown, domain: string): OperationError {
  const told =
    error instanceof EventsError
      ? error
      : new EventsError('INTERNAL', 'Something went wrong on this server; its log says what.', {
          reason: 'INTERNAL_ERROR',
        });
  return {
    code: statuses[told.code].grpc,
    message: told.message,
    details: errorDetails(told, domain),
  };
}

const anything = z.record(z.string(), z.unknown());

const statusMessage = z
  .strictObject({
    code: int32.optional().describe('The gRPC status code.'),
    message: text.optional().describe('The explanation, for people.'),
    details: z.array(anything).optional().describe('For programs.'),
  })
  .meta({ id: 'Status', description: 'What went wrong (google.rpc.Status).' });

/** The Operation of the interface. */
export const operationMessage = z
  .strictObject({
    name: text.optional().describe('`operations/…`; absent if nothing was stored.'),
    metadata: anything.optional().describe('The method that it belongs to.'),
    done: flag.optional().describe('Whether it is finished and has `response` or `error`.'),
    error: statusMessage.optional(),
    response: anything.optional().describe('What the method gives when it succeeds.'),
  })
  .meta({ id: 'Operation', description: 'A change that may take a while.' });

export type OperationResource = z.input<typeof operationMessage>;

const ownTypes = 'type.googleapis.com/google.apps.events.subscriptions.v1.';

/** An operation as JSON (E4.1-E4.4). One without a name was only validated and is not stored. */
export function toOperationResource(
  operation: Pick<Operation, 'kind' | 'result'> & { readonly name?: string },
): OperationResource {
  const { name, kind, result } = operation;
  return {
    ...(name === undefined ? {} : { name }),
    metadata: { '@type': `${ownTypes}${kind}SubscriptionMetadata` },
    done: result !== undefined,
    ...(result?.error === undefined
      ? {}
      : { error: { ...result.error, details: result.error.details.map((one) => ({ ...one })) } }),
    ...(result?.response === undefined
      ? {}
      : { response: { '@type': responseType(kind), ...result.response } }),
  };
}

function responseType(kind: OperationKind): string {
  return kind === 'Delete'
    ? 'type.googleapis.com/google.protobuf.Empty'
    : `${ownTypes}Subscription`;
}

/** What operations are run and read with. */
export type OperationContext = {
  readonly database: Database;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  /** Host and port of the public URL, the domain of errors (E8.20). */
  readonly errorDomain: string;
  readonly background: BackgroundWork;
};

/** Work that continues after its request was answered. */
type BackgroundWork = {
  /** Fires when the process ends. */
  readonly signal: AbortSignal;
  /** Follows work to its end. A rejection is a bug and is logged. */
  follow(work: Promise<unknown>): void;
  /** Fires the signal and waits for the work that still runs. */
  close(): Promise<void>;
};

export function createBackgroundWork(logger: Pick<Logger, 'error'>): BackgroundWork {
  const running = new Set<Promise<unknown>>();
  const ending = new AbortController();
  return {
    signal: ending.signal,
    follow(work) {
      const followed = work
        .catch((error) => logger.error({ err: error }, 'background work failed'))
        .finally(() => running.delete(followed));
      running.add(followed);
    },
    async close() {
      ending.abort();
      await Promise.all(running);
    },
  };
}

/** Often enough for rows that are kept for days, and each round stays small. */
const pruneEveryMs = 60_000;

/**
 * The worker that removes operations and ended subscriptions after 30 days (E3.38). If there are more than may be kept,
 * it removes the oldest sooner (N5).
 */
export function createOperationPruner(
  options: PrunerOptions & {
    readonly database: Database;
    /** Defaults to the declared limit. */
    readonly mostOfPrincipal?: number;
    readonly mostOfAll?: number;
  },
): Worker {
  const { database } = options;
  const { mostOfPrincipal = eventsLimits.operationsOfPrincipal.value } = options;
  const { mostOfAll = eventsLimits.operations.value } = options;
  return createPruner({
    ...options,
    name: 'operation-pruner',
    prunings: [
      ({ now, limit }) => pruneOperations(database, { createdBefore: now - operationsKept, limit }),
      ({ limit }) => pruneOldestOperationsOfEach(database, { kept: mostOfPrincipal, limit }),
      ({ limit }) => pruneOldestOperations(database, { kept: mostOfAll, limit }),
      ({ now, limit }) =>
        pruneSubscriptions(database, { endedBefore: now - operationsKept, limit }),
      ({ limit }) => pruneOldestSubscriptions(database, { kept: mostOfAll, limit }),
      ({ now, limit }) => pruneCallbackPasses(database, { passedBefore: now - 2 * day, limit }),
    ],
    pauseMs: pruneEveryMs,
  });
}
