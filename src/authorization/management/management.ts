import type { z } from 'zod';
import { createSealer } from '../../kernel/crypto/sealer.ts';
import type { Database } from '../../kernel/database/database.ts';
import { answerWithStatus, writeJson } from '../../kernel/edge/answer-with-status.ts';
import { chooseOperation, type OperationCall } from '../../kernel/edge/index-operations.ts';
import type { Mount } from '../../kernel/edge/mount.ts';
import type { Operation, Service } from '../../kernel/edge/operation.ts';
import { createRateLimiter, type RateLimiter } from '../../kernel/edge/rate-limiter.ts';
import { queryOf } from '../../kernel/edge/request.ts';
import { StatusError, statusBody } from '../../kernel/edge/status-error.ts';
import type { Random } from '../../kernel/model/random.ts';
import { parseJson } from '../../kernel/text/json.ts';
import { count } from '../../kernel/text/text.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { RegistrationService } from '../clients/registration.ts';
import { checkForServices } from '../http/answers.ts';
import { authorizationLimits } from '../limits.ts';
import type { FindClient } from '../model/client.ts';
import type { openTokens } from '../open-tokens.ts';
import type { People } from '../people/people.ts';
import { grantOperations, serveGrants } from './grant-operations.ts';
import { createManagerIdentity, type Manager } from './identify-manager.ts';
import { keyOperations, serveKeys } from './key-operations.ts';
import type { ServedManagement } from './management-operation.ts';
import { createReadPage } from './page-request.ts';
import { peopleOperations, servePeople } from './people-operations.ts';
import { resourceOperations, serveResources } from './resource-operations.ts';
import { createManageResources, type openResources } from './resources.ts';
import { serveSessions, sessionOperations } from './session-operations.ts';

/** The parts of the authorization service that are managed. */
type ManagedParts = {
  readonly tokens: Awaited<ReturnType<typeof openTokens>>;
  readonly people: People;
  readonly registration: Pick<RegistrationService, 'registrars'>;
  readonly resources: Awaited<ReturnType<typeof openResources>>;
  readonly findClient: FindClient;
};

/** The interface by which people, sessions, grants, resources and keys are managed. */
export function mountManagement(
  options: {
    readonly publicUrl: URL;
    readonly database: Database;
    readonly masterKey: Uint8Array;
    readonly clock: Clock;
    readonly random: Random;
  },
  parts: ManagedParts,
): Mount {
  const { publicUrl, database, clock } = options;
  const { tokens, people, registration, resources, findClient } = parts;
  const { grants } = tokens;
  const readPage = createReadPage(
    createSealer({ ...options, purpose: 'page tokens of management' }),
  );
  const managed = { ...options, ...people, grants, findClient, readPage };
  return createManagementMount({
    served: [
      ...servePeople({ people: people.manage, database, readPage }),
      ...serveSessions(managed),
      ...serveGrants(managed),
      ...serveResources({
        manage: createManageResources({
          ...options,
          issuer: publicUrl.origin,
          resources,
          grants,
        }),
        readPage,
      }),
      ...serveKeys({ keys: tokens.keys, readPage }),
    ],
    identify: createManagerIdentity({
      guard: { check: checkForServices(tokens.guard) },
      isOperatorCredential: registration.registrars.hasOperatorCredential,
    }),
    limiter: createRateLimiter({
      database,
      clock,
      name: 'management',
      perMinute: authorizationLimits.managementRequests.value,
    }),
    errorDomain: publicUrl.host,
  });
}

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
function createManagementMount(options: {
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

/** The description of the interface that manages people, sessions, grants, resources and keys. */
export const managementService: Service = {
  name: 'Access',
  description: 'Manage the people, sessions, grants, resources and keys of the server.',
  error: statusBody('AccessError'),
  operations: [
    ...Object.values(peopleOperations),
    ...Object.values(sessionOperations),
    ...Object.values(grantOperations),
    ...Object.values(resourceOperations),
    ...Object.values(keyOperations),
  ],
};
