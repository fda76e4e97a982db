import { EdgeError, edgeErrorStatus } from '../messages/edge-error.ts';
import { explainStoreFailure } from '../messages/explain-store-failure.ts';
import { toResponse } from '../messages/to-response.ts';
import type { RequestContext } from '../mount/request-context.ts';
import { mistypedPage } from '../page/mistyped-page.ts';
import { prefersPage } from '../page/prefers-page.ts';
import type { Envelope } from './create-envelope.ts';
import type { EdgeLogger } from './log-access.ts';

/**
 * Writes an error in the envelope of the service that owns the path, or as a page for a person who
 * mistyped an address. An error that no service handled is logged once, and none of its text is sent.
 */
export function refuseRequests(options: {
  readonly logger: EdgeLogger;
  readonly envelope: Envelope;
}): (error: unknown, context: RequestContext) => Promise<Response> {
  const { logger, envelope } = options;
  return async (error, context) => {
    const refusal = error instanceof EdgeError ? error : conceal(error, context, logger);
    const response = await write(refusal, context, envelope);
    for (const [name, value] of Object.entries(refusal.headers)) response.headers.set(name, value);
    return response;
  };
}

async function write(
  refusal: EdgeError,
  context: RequestContext,
  envelope: Envelope,
): Promise<Response> {
  const { request, owned } = context;
  const isMistyped = refusal.code === 'NOT_FOUND' || refusal.code === 'METHOD_NOT_ALLOWED';
  const response =
    isMistyped && prefersPage(request)
      ? await mistypedPage(refusal)
      : ((await owned?.writeRefusal?.(refusal, context)) ??
        toResponse(envelope(refusal, edgeErrorStatus[refusal.code])));
  // For caches: both statuses are cacheable by default (RFC 9110 section 15.1).
  if (isMistyped) response.headers.append('Vary', 'Accept');
  return response;
}

/** The refusal that hides an error which no service handled. */
function conceal(
  error: unknown,
  { request, requestId }: RequestContext,
  logger: EdgeLogger,
): EdgeError {
  if (request.isAborted()) {
    return new EdgeError(
      'REQUEST_ABORTED',
      'The connection closed before the request was complete.',
    );
  }
  const storeFailure = explainStoreFailure(error);
  if (storeFailure !== undefined) {
    logger.error({ err: error, requestId }, 'the database refused the work of a request');
    return storeFailure;
  }
  logger.error({ err: error, requestId }, 'unexpected error');
  return new EdgeError(
    'INTERNAL_ERROR',
    `Something went wrong on this server; its log says what under the request id ${requestId}.`,
    { cause: error },
  );
}
