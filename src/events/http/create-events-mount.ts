import { Hono } from 'hono';
import { orLate } from '../../kernel/cancel/or-late.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EdgeEnv } from '../../kernel/http/edge-env.ts';
import { EdgeError } from '../../kernel/http/edge-error.ts';
import type { Mount } from '../../kernel/http/mount.ts';
import type { EventsCaller, IdentifyCaller } from '../caller.ts';
import { EventsError } from '../events-error.ts';
import { eventsLimits } from '../limits.ts';
import { parseJson } from '../proto-json/parse-json.ts';
import { addressUsed } from './address-used.ts';
import { createFieldSelector } from './create-field-selector.ts';
import type { Quotas } from './create-quotas.ts';
import { describeApi } from './discovery/describe-api.ts';
import { explainStoreFailure, writeEdgeError, writeError } from './error-answer.ts';
import { identify } from './identify.ts';
import type { Method, ServedMethod } from './method.ts';
import { matchPath, parsePathTemplate } from './path-template.ts';
import { createQueryReader } from './standard-query.ts';
import { undoOverride } from './undo-override.ts';
import { writeJson } from './write-json.ts';

export type EventsMountOptions = {
  readonly methods: readonly ServedMethod[];
  readonly identifyCaller: IdentifyCaller;
  readonly quotas: Quotas;
  readonly clock: Clock;
  /** Host and port of the public URL. */
  readonly errorDomain: string;
};

/** A little less than the 60 s that clients wait (E6.11). */
const longestAnswerMs = eventsLimits.answerTime.value;
// E6.15
const publishLimit = eventsLimits.publishBody.value;

/**
 * The interface, ready to be mounted on the edge. It owns what is left of `/v1`, so that it comes
 * after the services that own parts of it.
 */
export function createEventsMount(options: EventsMountOptions): Mount {
  const { identifyCaller, quotas, clock, errorDomain: domain } = options;
  const methods = options.methods.map((served) => ({
    ...served,
    template: parsePathTemplate(served.method.path),
    readQuery: createQueryReader(served.method),
    selectFields: createFieldSelector(served.method.response),
  }));
  const describe = describeApi(options.methods.map(({ method }) => method));

  const app = new Hono<EdgeEnv>();
  app.get('/$discovery/rest', (c) => {
    const version = c.req.query('version') ?? 'v1';
    if (version !== 'v1') throw unknownVersion(version);
    return writeJson(describe(addressUsed(c)), { request: c.req.raw });
  });
  app.all('/v1/*', async (c, next) => {
    const request = await undoOverride(c.req.raw);
    const routed = route(request);
    // Other services have parts of the path, and the edge knows what they answer.
    if (routed === undefined) return next();
    const { served, name } = routed;
    const { method } = served;
    const caller = await admit(request, method);
    const { query, fields } = served.readQuery(new URL(request.url).searchParams);
    const select = fields === undefined ? undefined : served.selectFields(fields);
    const call = {
      caller,
      name,
      query,
      request,
      signal: request.signal,
      readBody: () => readBody(request),
    };
    const answer = await withinTime(served.answer(call));
    if (answer instanceof Response) return answer;
    return writeJson(select?.(answer) ?? answer, { request, status: method.status ?? 200 });
  });
  // What is not ours goes on to the edge, which comes back for the form of its own refusals.
  app.onError((error, c) => {
    const told = error instanceof EventsError ? error : explainStoreFailure(error);
    if (told === undefined) throw error;
    return writeError(told, { request: c.req.raw, domain });
  });

  const origins = 'any';
  return {
    app,
    paths: {
      '/$discovery/rest': { origins },
      '/v1/events': { origins, bodyLimit: publishLimit },
      '/v1/*': { origins },
    },
    writeRefusal: (error, { request, requestId }) => {
      const { method, url } = request;
      const headers = { get: (name: string) => request.header(name) ?? null };
      return writeEdgeError(error, { request: { method, url, headers }, domain, requestId });
    },
  };

  function route(request: Request) {
    const { pathname } = new URL(request.url);
    const verb = request.method === 'HEAD' ? 'GET' : request.method;
    const found = methods.flatMap((served) => {
      const name = matchPath(served.template, pathname);
      return name === undefined ? [] : [{ served, name }];
    });
    const first = found.find(({ served }) => served.method.verb === verb);
    if (first !== undefined) return first;
    if (found.length === 0) return undefined;
    const Allow = found.map(({ served }) => served.method.verb).join(', ');
    const message = `${pathname.slice(0, 200)} does not answer ${request.method}: use ${Allow}.`;
    throw new EdgeError('METHOD_NOT_ALLOWED', message, { headers: { Allow } });
  }

  async function admit(request: Request, method: Method): Promise<EventsCaller> {
    const caller = await identify(request, { method, identifyCaller });
    if (method.quota !== undefined) await quotas.take(method.quota, caller);
    return caller;
  }

  async function withinTime<Answer>(answering: Promise<Answer>): Promise<Answer> {
    return orLate(answering, {
      clock,
      milliseconds: longestAnswerMs,
      late() {
        throw new EventsError(
          'DEADLINE_EXCEEDED',
          'The work took longer than a request may: read what came of it, then repeat it.',
          { reason: 'DEADLINE_EXCEEDED' },
        );
      },
    });
  }
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
