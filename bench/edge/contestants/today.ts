import { Hono } from 'hono';
import { z } from 'zod';
import { type Answer, toResponse } from '../../../src/kernel/edge/answer.ts';
import { createEdge } from '../../../src/kernel/edge/create-edge.ts';
import { chooseOperation, type DirectCall } from '../../../src/kernel/edge/index-operations.ts';
import { openListener } from '../../../src/kernel/edge/listener/open-listener.ts';
import type { EdgeEnv, Endpoint, Mount } from '../../../src/kernel/edge/mount.ts';
import type { Operation } from '../../../src/kernel/edge/operation.ts';
import { systemRandom } from '../../../src/kernel/model/random.ts';
import { systemClock as clock } from '../../../src/kernel/wait/clock.ts';
import { declareRoute } from '../match-operations.ts';
import { type StepsOptions, silentLogger } from '../steps.ts';
import { type Route, routes, streamHeaders } from '../work.ts';

/** The edge of the product. With `isDirect` its hot paths skip Hono, as in the product; without it none does. */
export async function openToday(
  isDirect: boolean,
  options: StepsOptions & { readonly mount?: Mount } = {},
): Promise<number> {
  const edge = createEdge({
    publicUrl: new URL('http://localhost:8787'),
    trustedProxies: [],
    logger: silentLogger,
    ...options,
    mounts: [options.mount ?? createMount()],
    clock,
    random: systemRandom,
  });
  const where = { host: '127.0.0.1', port: 0, trustedProxies: [], clock };
  const direct = isDirect ? { answerDirectly: edge.answerDirectly } : {};
  return (await openListener({ fetch: edge.fetch, ...direct, ...where })).port;
}

/** Paths without variables are endpoints, as `/token` is, the others operations. Streams are left to the app. */
function createMount(): Mount {
  const app = new Hono<EdgeEnv>();
  const endpoints: Endpoint[] = [];
  const answers = new Map<Operation, Extract<Route, { answer: unknown }>>();
  for (const route of routes) {
    const { method, path } = route;
    if ('stream' in route) {
      app.get(path, () => new Response(streamOf(route.stream()), { headers: streamHeaders }));
      continue;
    }
    const empty = { variables: {}, query: '', authorization: undefined };
    if (path.includes('{')) answers.set(declareRoute(route), route);
    else if (method === 'GET') {
      const answer = () => route.answer({ ...empty, body: '' }) as Answer;
      endpoints.push({ method, path, answer });
    } else {
      endpoints.push({
        method,
        path,
        answer: async ({ request, body }) =>
          route.answer({ ...empty, authorization: request.header('authorization'), body }),
      });
    }
  }
  const answerCall = async ({ matched, query, signal }: DirectCall): Promise<Answer> => {
    const route = answers.get(matched.operation);
    if (route === undefined) throw new Error('no route');
    return route.answer({
      variables: matched.variables,
      query,
      authorization: undefined,
      body: '',
      signal,
    });
  };
  const operations = [...answers.keys()];
  return {
    app,
    endpoints,
    paths: {
      '/v1/*': { origins: 'any' },
      '/status': { origins: 'any' },
      '/token': { origins: 'any' },
    },
    service: { name: 'shop', description: '', error: z.object({}), operations },
    async answer({ request, matched, context }) {
      const { method, signal } = request;
      const chosen = chooseOperation(matched, { method, path: context.request.path });
      const { query } = context.request.address;
      return toResponse(await answerCall({ matched: chosen, query, context, signal }));
    },
    direct: {
      operations: new Set(operations.filter(({ method }) => method === 'GET')),
      answer: answerCall,
    },
  };
}

/** The pieces as the body of a `Response`. */
export function streamOf(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
