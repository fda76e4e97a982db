import { join } from 'node:path';
import { cases } from './cases.ts';
import { compareServers } from './compare.ts';

/**
 * What it costs to bring a request to a handler and its answer back: processor time (user and system) of the server for each
 * request. Beside each other in one run, each in a process of its own and called in turn: `node:http`, the edge of today by its
 * two ways, one pipeline of our own with two routers, Fastify, srvx, h3 and Hono. Those named "bare" keep no rule; all others run
 * the same functions of the gate, in the places that they have for it.
 *
 * Run: node bench/edge/run.ts [requests a turn] [rounds] (after `npm install --ignore-scripts --force --prefix bench/edge`).
 * STARTS=4 sets how often each is started, CALLERS=16,32 the connections, ONLY the contestants and CASES the cases, by parts
 * of their names.
 */
await compareServers({
  script: join(import.meta.dirname, 'server.ts'),
  reference: 'edge, direct',
  cases,
});
