import { errorDetails } from '../../kernel/rpc-status/error-details.ts';
import { orLate } from '../../kernel/time/or-late.ts';
import { EventsError, statuses } from '../errors/events-error.ts';
import type { Operation, OperationError } from '../model/operation.ts';
import { putOperation } from '../store/operation-store.ts';
import type { OperationContext } from './operation-context.ts';

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
