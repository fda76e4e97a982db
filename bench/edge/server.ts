import { openBareFastify, openFastify } from './contestants/fastify.ts';
import { openHono } from './contestants/hono.ts';
import { openNodeHttp } from './contestants/node-http.ts';
import { openPipeline } from './contestants/pipeline.ts';
import { openToday } from './contestants/today.ts';
import { openH3, openSrvx } from './contestants/unjs.ts';

// One server of the comparison, in its own process, so that its processor time is counted alone.
const contestants: Record<string, () => Promise<number>> = {
  'node:http': openNodeHttp,
  'fastify, bare': openBareFastify,
  'srvx, bare': () => openSrvx({ hasRules: false }),
  'h3, bare': () => openH3({ hasRules: false }),
  'hono, bare': openHono,
  'edge, direct': () => openToday(true),
  edge: () => openToday(false),
  pipeline: () => openPipeline('operations'),
  'pipeline, find-my-way': () => openPipeline('find-my-way'),
  fastify: () => openFastify({ ours: 'nothing' }),
  'fastify, our writer': () => openFastify({ ours: 'writing' }),
  'fastify, our reader and writer': () => openFastify({ ours: 'reading and writing' }),
  srvx: () => openSrvx({ hasRules: true }),
  h3: () => openH3({ hasRules: true }),
};

process.on('disconnect', () => process.exit());
const open = contestants[process.argv[2] ?? ''];
if (open === undefined) {
  process.send?.({ names: Object.keys(contestants) });
  process.disconnect();
} else {
  const port = await open();
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
  process.send?.({ port });
}
