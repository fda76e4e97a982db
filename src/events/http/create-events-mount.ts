import { queryOf } from '../../kernel/http/messages/request-address.ts';
import {
  type CallContext,
  chooseOperation,
  type OperationCall,
} from '../../kernel/http/mount/answer-operation.ts';
import type { Mount } from '../../kernel/http/mount/mount.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import { answerWithStatus } from '../../kernel/rpc-status/answer-with-status.ts';
import { writeJson } from '../../kernel/rpc-status/write-json.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { orLate } from '../../kernel/time/or-late.ts';
import type { EventsCaller, IdentifyCaller } from '../caller.ts';
import { EventsError } from '../errors/events-error.ts';
import { eventsLimits } from '../limits.ts';
import { parseJson } from '../proto-json/parse-json.ts';
import { addressUsed } from './address-used.ts';
import { createFieldSelector, type FieldSelector } from './create-field-selector.ts';
import type { Quotas } from './create-quotas.ts';
import { describeApi } from './discovery/describe-api.ts';
import { discoveryOperation, eventsService } from './events-service.ts';
import { identify } from './identify.ts';
import type { Method, ServedMethod } from './methods/method.ts';
import { createQueryReader, type QueryReader } from './standard-query.ts';
import { undoOverride } from './undo-override.ts';

export type EventsMountOptions = {
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
  const served = new Map<Operation, Served>(
    options.methods.map(({ method, answer }) => [
      method,
      {
        method,
        answer,
        readQuery: createQueryReader(method),
        selectFields: createFieldSelector(method.answer.schema),
      },
    ]),
  );
  const methods = options.methods.map(({ method }) => method);
  let describe: ReturnType<typeof describeApi> | undefined;

  const origins = 'any';
  return {
    paths: { '/$discovery/rest': { origins }, '/v1/*': { origins } },
    service: { ...eventsService, operations: [discoveryOperation, ...methods] },
    ...answerWithStatus(answerCall, domain),
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
    const { query, fields } = readQuery(queryOf(request));
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
    return writeJson(select?.(answered) ?? answered, {
      request,
      status: method.answer.status ?? 200,
    });
  }

  function answerDiscovery(request: Request, context: CallContext): Response {
    const version = queryOf(request).get('version') ?? 'v1';
    if (version !== 'v1') throw unknownVersion(version);
    describe ??= describeApi(methods.filter(({ isApart }) => !isApart));
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
  return new EventsError('NOT_FOUND', `There is no version ${version.slice(0, 40)}: ask for v1.`, {
    reason: 'VERSION_NOT_FOUND',
    metadata: { version: version.slice(0, 40) },
  });
}
