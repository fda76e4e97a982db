import type { z } from 'zod';
import { queryOf } from '../../../kernel/http/messages/request-address.ts';
import {
  chooseOperation,
  type OperationCall,
} from '../../../kernel/http/mount/answer-operation.ts';
import type { Mount } from '../../../kernel/http/mount/mount.ts';
import type { Operation } from '../../../kernel/operations/operation.ts';
import type { RateLimiter } from '../../../kernel/rate-limit/rate-limiter.ts';
import { answerWithStatus } from '../../../kernel/rpc-status/answer-with-status.ts';
import { StatusError } from '../../../kernel/rpc-status/status-error.ts';
import { writeJson } from '../../../kernel/rpc-status/write-json.ts';
import { count } from '../../../kernel/text/count.ts';
import { parseJson } from '../../../kernel/text/parse-json.ts';
import type { Manager } from './identify-manager.ts';
import type { ServedManagement } from './management-operation.ts';
import { managementService } from './management-service.ts';

/** Pages of any origin may call with a token of their own, because no cookie is read. */
const origins = 'any';
const paths = {
  '/v1/people/*': { origins },
  '/v1/sessions/*': { origins },
  '/v1/grants/*': { origins },
  '/v1/resources/*': { origins },
  '/v1/keys/*': { origins },
  '/v1/keys:rotate': { origins },
} as const;

/** The interface by which a server is managed, ready to be mounted on the edge. */
export function createManagementMount(options: {
  readonly served: readonly ServedManagement[];
  readonly identify: (request: Request, scope: readonly string[]) => Promise<Manager>;
  readonly limiter: RateLimiter;
  /** Host and port of the public URL. */
  readonly errorDomain: string;
}): Mount {
  const { identify, limiter, errorDomain: domain } = options;
  const served = new Map<Operation, ServedManagement>(
    options.served.map((one) => [one.operation, one]),
  );

  return {
    paths,
    service: { ...managementService, operations: [...served.keys()] },
    ...answerWithStatus(answerCall, domain),
  };

  async function answerCall({ request, matched, context }: OperationCall): Promise<Response> {
    const { path } = context.request;
    const { operation, variables } = chooseOperation(matched, { method: request.method, path });
    const found = served.get(operation);
    if (found === undefined) throw new TypeError(`${operation.id} is declared and not served`);
    const { parameters, bodySchema, body: takesBody } = found.operation;
    const manager = await identify(request, found.operation.scopes);
    await admit(manager);
    const given = Object.fromEntries(queryOf(request));
    const query = check(parameters, given);
    const body = takesBody === undefined ? undefined : check(bodySchema, await readBody(request));
    const [id = ''] = Object.values(variables);
    return writeJson(await found.answer({ manager, id, query, body }), { request });
  }

  async function admit({ subject }: Manager): Promise<void> {
    const { isAllowed, limit, retryAfterSeconds } = await limiter.take(subject);
    if (isAllowed) return;
    const seconds = Math.ceil(retryAfterSeconds);
    throw new StatusError(
      'RESOURCE_EXHAUSTED',
      `More than ${limit} requests in a minute: wait ${count(seconds, 'second')} and try again.`,
      { reason: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: seconds },
    );
  }
}

async function readBody(request: Request): Promise<unknown> {
  try {
    const text = await request.text();
    return text.trim() === '' ? {} : parseJson(text);
  } catch (error) {
    const description = error instanceof Error ? error.message : 'must be JSON';
    throw refuse([{ field: 'body', description }]);
  }
}

/** Throws `INVALID_ARGUMENT`, which names every field that is wrong. */
function check<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refuse(
    parsed.error.issues.map(({ path, message }) => ({
      field: path.join('.') || 'body',
      description: message,
    })),
  );
}

function refuse(fieldViolations: readonly { field: string; description: string }[]): StatusError {
  const problems = fieldViolations
    .map(({ field, description }) => `${field}: ${description}`)
    .join('; ');
  return new StatusError('INVALID_ARGUMENT', `The request is refused. ${problems}.`, {
    reason: 'INVALID_FIELDS',
    metadata: { problems },
    fieldViolations,
  });
}
