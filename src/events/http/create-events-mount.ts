import { answerWithStatus, writeJson } from '../../kernel/edge/answer-with-status.ts';
import type { EdgeError } from '../../kernel/edge/edge-error.ts';
import {
  type CallContext,
  chooseOperation,
  type OperationCall,
} from '../../kernel/edge/index-operations.ts';
import type { Mount } from '../../kernel/edge/mount.ts';
import type { Operation } from '../../kernel/edge/operation.ts';
import { queryOf } from '../../kernel/edge/request.ts';
import { isLoopbackHost } from '../../kernel/model/network.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { orLate } from '../../kernel/wait/deadline.ts';
import { eventsLimits } from '../limits.ts';
import type { EventsCaller, IdentifyCaller } from '../model/caller.ts';
import { EventsError, insufficientScope } from '../model/events-error.ts';
import { parseJson } from '../model/proto-json.ts';
import { createFieldSelector, type FieldSelector } from './create-field-selector.ts';
import type { Quotas } from './create-quotas.ts';
import { describeApi } from './describe-api.ts';
import { discoveryOperation, eventsService } from './events-service.ts';
import { serveBeta, type Version, versions } from './methods/beta-methods.ts';
import type { Method, ServedMethod } from './methods/method.ts';
import { numberEnums } from './number-enums.ts';
import { createQueryReader, type QueryReader } from './standard-query.ts';

type EventsMountOptions = {
  readonly methods: readonly ServedMethod[];
  readonly identifyCaller: IdentifyCaller;
  readonly quotas: Quotas;
  readonly clock: Clock;
  /** Host and port of the public URL. */
  readonly errorDomain: string;
  readonly publicUrl: URL;
};

/** A little less than the 60 s that clients wait (E6.11). */
const longestAnswerMs = eventsLimits.answerTime.value;

type Served = ServedMethod & {
  readonly readQuery: QueryReader;
  readonly selectFields: FieldSelector;
};

/** The HTTP interface as a mount. It serves the rest of `/v1`, so it comes after the services that own parts of it. */
export function createEventsMount(options: EventsMountOptions): Mount {
  const { identifyCaller, quotas, clock, errorDomain: domain } = options;
  const all = [...options.methods, ...serveBeta(options.methods)];
  const served = new Map<Operation, Served>(
    all.map(({ method, answer }) => [
      method,
      {
        method,
        answer,
        readQuery: createQueryReader(method),
        selectFields: createFieldSelector(method.answer.schema),
      },
    ]),
  );
  const methods = all.map(({ method }) => method);
  const described = new Map<Version, ReturnType<typeof describeApi>>();

  const origins = 'any';
  return {
    paths: { '/$discovery/rest': { origins }, '/v1/*': { origins }, '/v1beta/*': { origins } },
    service: { ...eventsService, operations: [discoveryOperation, ...methods] },
    ...answerWithStatus(answerCall, domain, refuseAgentMethods),
  };

  async function answerCall({
    request: given,
    matched,
    context,
  }: OperationCall): Promise<Response> {
    const request = await undoOverride(given);
    const { path } = context.request;
    const { operation, variables } = chooseOperation(matched, { method: request.method, path });
    const found = served.get(operation);
    if (found === undefined) return answerDiscovery(request, context);
    const { method, answer, readQuery, selectFields } = found;
    const caller = await admit(request, method);
    const { query, fields, wantsNumbers } = readQuery(queryOf(request));
    const select = fields === undefined ? undefined : selectFields(fields);
    const [name = ''] = Object.values(variables);
    const answered = await withinTime(
      answer({
        caller,
        name,
        query,
        request,
        signal: request.signal,
        readBody: () => readBody(request),
      }),
      clock,
    );
    if (answered instanceof Response) return answered;
    const whole = wantsNumbers ? numberEnums(answered, method.answer.schema) : answered;
    return writeJson(select?.(whole) ?? whole, {
      request,
      status: method.answer.status ?? 200,
    });
  }

  function answerDiscovery(request: Request, context: CallContext): Response {
    const asked = queryOf(request).get('version') ?? 'v1';
    const version = versions.find((one) => one === asked);
    if (version === undefined) throw unknownVersion(asked);
    const describe = described.get(version) ?? describeApi(methods, version);
    described.set(version, describe);
    return writeJson(describe(addressUsed(context, options.publicUrl)), { request });
  }

  async function admit(request: Request, method: Method): Promise<EventsCaller> {
    const caller = await identify(request, { method, identifyCaller });
    if (method.quota !== undefined) await quotas.take(method.quota, caller);
    return caller;
  }
}

function withinTime<Answer>(answering: Promise<Answer>, clock: Clock): Promise<Answer> {
  return orLate(answering, {
    clock,
    milliseconds: longestAnswerMs,
    late() {
      throw new EventsError(
        'DEADLINE_EXCEEDED',
        'The request took longer than allowed: check what it changed, then repeat it.',
        { reason: 'DEADLINE_EXCEEDED' },
      );
    },
  });
}

async function readBody(request: Request): Promise<unknown> {
  const text = await request.text();
  return text.trim() === '' ? {} : parseJson(text, 'INVALID_JSON');
}

function unknownVersion(version: string): EventsError {
  return new EventsError(
    'NOT_FOUND',
    `There is no version ${version.slice(0, 40)}: ask for ${versions.join(' or ')}.`,
    {
      reason: 'VERSION_NOT_FOUND',
      metadata: { version: version.slice(0, 40) },
    },
  );
}

const reasons = {
  missing: 'CREDENTIALS_MISSING',
  expired: 'ACCESS_TOKEN_EXPIRED',
  invalid: 'ACCESS_TOKEN_INVALID',
} as const;

/**
 * Identifies the caller (E7.1, E7.4). Refuses a token in the query even beside a valid header (E7.7), because every
 * proxy on the way would log it. Throws `UNAUTHENTICATED`, and `PERMISSION_DENIED` if the token has none of the
 * method's scopes (E7.5).
 */
async function identify(
  request: Request,
  { method, identifyCaller }: { readonly method: Method; readonly identifyCaller: IdentifyCaller },
): Promise<EventsCaller> {
  const searchParams = queryOf(request);
  const refused = ['access_token', 'oauth_token'].find((name) => searchParams.has(name));
  if (refused !== undefined) {
    throw new EventsError(
      'UNAUTHENTICATED',
      `${refused} in the query is refused: send the token in the header Authorization: Bearer.`,
      {
        reason: 'ACCESS_TOKEN_INVALID',
        metadata: { parameter: refused },
        challenges: ['Bearer error="invalid_request"'],
      },
    );
  }
  const { caller, refusal } = await identifyCaller(request, method.scopes);
  if (caller !== undefined) return caller;
  const { reason, message, challenges } = refusal;
  if (reason === 'insufficient_scope') {
    throw insufficientScope(method.scopes, { what: method.id, challenges });
  }
  throw new EventsError('UNAUTHENTICATED', message, {
    reason: reasons[reason],
    metadata: { message },
    challenges: challenges.length > 0 ? challenges : ['Bearer'],
  });
}

/**
 * The address of this server for the client, ending in `/` (E9.3): that of the public URL, which no header changes
 * (F18). Only on loopback is it the host name that the client used, since `localhost`, 127.0.0.1 and a forwarded
 * port all lead to the same server.
 */
function addressUsed({ request }: Pick<CallContext, 'request'>, publicUrl: URL): string {
  const { hostname, host } = request.address;
  const isLocal = isLoopbackHost(publicUrl.hostname) && isLoopbackHost(hostname);
  return isLocal ? `${publicUrl.protocol}//${host}/` : `${publicUrl.origin}/`;
}

/**
 * The request as the client meant it. Google's Python client sends a GET whose address would have more than 2048
 * characters as a POST with the query in its body, and says so in `X-HTTP-Method-Override` (E7.18). Every other
 * request is returned unchanged.
 */
async function undoOverride(request: Request): Promise<Request> {
  const meant = request.headers.get('x-http-method-override')?.toUpperCase();
  if (request.method !== 'POST' || meant !== 'GET') return request;
  const url = new URL(request.url);
  for (const [name, value] of new URLSearchParams(await request.text())) {
    url.searchParams.append(name, value);
  }
  return new Request(url, { headers: request.headers, signal: request.signal });
}

/** The paths of the public interface at which agents are spoken to (A2A). */
const agentPaths =
  /^\/v1(?:beta)?\/(?:message:stream|tasks\/[^/:]+(?::cancel|:subscribe)?|tasks\/[^/]+\/pushNotificationConfigs(?:\/[^/]+)?)$/;

/** What is said of a path that is public but not served here, in the place of `NOT_FOUND` (G13); undefined for others. */
function refuseAgentMethods(
  { code }: Pick<EdgeError, 'code'>,
  path: string,
): EventsError | undefined {
  if (code !== 'NOT_FOUND' || !agentPaths.test(path)) return undefined;
  const told = path.slice(0, 200);
  return new EventsError(
    'UNIMPLEMENTED',
    `${told} is for agents (A2A), which this server does not serve: the discovery document lists the methods that it has.`,
    { reason: 'AGENT_METHODS_NOT_SERVED', metadata: { path: told } },
  );
}
