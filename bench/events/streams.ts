import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { startFuzzedServer } from '../../tests/fuzz/start-fuzzed-server.ts';
import { issueToken } from '../../tests/support/issue-token.ts';

// What idle streams cost: processor time of the server while nothing happens, processor time of an event for one of
// them, and how long publishing takes with and without them. Each stream has its own subscription.

const streams = Number(process.env.BENCH_STREAMS ?? 2_000);
/** So many that a full collection of garbage, which comes once in some thousand events, is part of their cost. */
const events = Number(process.env.BENCH_EVENTS ?? 1_500);
/** So long that the full collections of garbage, which come once in some minutes, are part of what idle streams cost. */
const idleFor = Number(process.env.BENCH_IDLE_SECONDS ?? 600) * 1_000;
/** Until the compiler and the garbage collector have finished with earlier work: V8 goes on for a minute. */
const settleFor = 60_000;
/** A client may create and open at most a hundred streams a minute. */
const perClient = 90;
const type = 'google.workspace.drive.file.v3.created';
const scope = 'subscriptions.read subscriptions.write events.publish';

const server = await startFuzzedServer({ TRADEWIND_DEVCHAIN: 'off' });
const { origin } = server.url;
let heard = 0;
let serial = 0;
try {
  const token = await issueToken(origin, scope);
  const target = await openStream(token, 'watched');
  await publishTo(target, token, events);
  const alone = await publishTo(target, token, events);
  const idleAlone = await measureIdle();
  for (let opened = 0; opened < streams; opened += perClient) {
    const other = await issueToken(origin, scope);
    const ids = Array.from({ length: Math.min(perClient, streams - opened) }, (_, n) => opened + n);
    await Promise.all(ids.map((id) => openStream(other, `${id}`)));
    console.log(`${opened + ids.length} streams are open`);
  }
  const idle = await measureIdle();
  await publishTo(target, token, events);
  const among = await publishTo(target, token, events);
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  console.log(`idle: ${percent(idleAlone)} of a core with one stream, ${percent(idle)} with all`);
  const tell = (name: string, { time, median }: typeof alone) =>
    console.log(
      `${name}: ${time.toFixed(2)} ms of processor time an event, publishing p50 ${median.toFixed(1)} ms`,
    );
  tell('one stream', alone);
  tell(`among ${streams}`, among);
  console.log(
    `load of the machine ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
} finally {
  await server.end();
}
process.exit();

/** The share of a core that the server takes while nothing happens. */
async function measureIdle(): Promise<number> {
  await delay(settleFor);
  const before = processorTime();
  await delay(idleFor);
  return (processorTime() - before) / idleFor;
}

async function post(path: string, token: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

async function openStream(token: string, id: string): Promise<string> {
  const targetResource = `//drive.googleapis.com/files/${id}`;
  const body = { targetResource, eventTypes: [type], notificationEndpoint: { eventStream: {} } };
  const created = await post('/v1/subscriptions', token, body);
  const { response } = (await created.json()) as { response: { name: string } };
  await new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get(`${origin}/v1/${response.name}:listen`, { headers, agent: false }, (stream) => {
      if (stream.statusCode !== 200) reject(new Error(`answered ${stream.statusCode}`));
      stream.on('error', () => {});
      stream.on('data', (chunk: Buffer) => {
        if (chunk.includes('data: ')) heard += 1;
      });
      resolve();
    }).on('error', reject);
  });
  return targetResource;
}

/** Publishes one event after another; resolves once the stream has delivered all of them. */
async function publishTo(subject: string, token: string, count: number) {
  const [before, heardBefore] = [processorTime(), heard];
  const took: number[] = [];
  for (let n = 0; n < count; n++) {
    const id = `e${++serial}`;
    const event = { specversion: '1.0', id, source: '//bench', type, subject };
    const began = performance.now();
    await post('/v1/events', token, { ...event, data: { file: { name: 'files/watched' } } });
    took.push(performance.now() - began);
  }
  // A chunk may hold several events, so counting chunks is not enough: a second without a chunk is the end.
  for (let seen = heardBefore; seen < heard; await delay(1_000)) seen = heard;
  took.sort((a, b) => a - b);
  return { time: (processorTime() - before) / count, median: took[Math.floor(count / 2)] ?? 0 };
}

/** Processor time of the server so far, in milliseconds. */
function processorTime(): number {
  const [, rest = ''] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
