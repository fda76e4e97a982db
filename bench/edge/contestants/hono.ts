import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { listen } from '../listen.ts';
import { colonPath, notFoundBody, routes, streamHeaders } from '../work.ts';
import { streamOf } from './today.ts';

/** Hono on `@hono/node-server`, without any rule. */
export async function openHono(): Promise<number> {
  const app = new Hono();
  for (const route of routes) {
    app.on(route.method, colonPath(route.path), async (c) => {
      if ('stream' in route) {
        return new Response(streamOf(route.stream()), { headers: streamHeaders });
      }
      const answer = await route.answer({
        variables: c.req.param() as Record<string, string>,
        query: c.req.url.split('?')[1] ?? '',
        authorization: c.req.header('authorization'),
        body: route.method === 'POST' ? await c.req.text() : '',
      });
      return c.body(answer.body, 200, answer.headers);
    });
  }
  app.notFound((c) =>
    c.body(notFoundBody(c.req.path), 404, { 'Content-Type': 'application/json' }),
  );
  return listen(createServer(getRequestListener(app.fetch)));
}
