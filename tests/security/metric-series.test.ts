import { METHODS, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { declaredServices } from '../../scripts/declared-services.ts';
import { compose } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/settings/load-config.ts';
import {
  flattenPath,
  indexOperations,
  parsePathTemplate,
} from '../../src/kernel/edge/index-operations.ts';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createHealth } from '../../src/kernel/process/supervisor.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createDice } from '../support/dice.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';

/** A whole server without chains, in this process. */
async function open() {
  const { config } = loadConfig({
    environment: {
      TRADEWIND_DATA_DIR: createDataDir(),
      TRADEWIND_DEVCHAIN: 'off',
      TRADEWIND_CHAINS: '31337',
    },
    flags: {},
  });
  const [clock, random, metrics] = [systemClock, systemRandom, createMetrics()];
  const composition = await compose({
    config,
    publicUrl: new URL('http://localhost:8787'),
    isLoopback: true,
    logger: createLogger({ level: 'silent', format: 'json', write: () => {} }),
    metrics,
    health: createHealth(),
    clock: { ...clock, notBefore: () => {}, ahead: () => 0 },
    random,
  });
  const listener = await openListener({
    ...composition.edge,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock,
  });
  onTestFinished(async () => {
    await listener.close(0);
    await composition.close();
  });
  return { port: listener.port, metrics };
}

type Sent = { readonly method: string; readonly path: string; readonly headers: object };

/** Sends a request without a body and resolves when it is answered, or the connection closes. */
function send(port: number, { method, path, headers }: Sent): Promise<void> {
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', method, path, agent: false });
    for (const [name, value] of Object.entries(headers)) asked.setHeader(name, value);
    asked.on('response', (answer) => answer.resume()).on('error', () => {});
    asked.on('close', resolve).end();
  });
}

const operations = declaredServices.flatMap(({ operations }) => operations);
const pathOf = (template: string) =>
  flattenPath(parsePathTemplate(template)).replaceAll(/\{\w+\}/g, 'x');
const runs = Number(process.env.TEST_REQUESTS ?? 600);

test('random requests of a stranger make no series that no operation declares [F76]', async () => {
  const { port, metrics } = await open();
  const dice = createDice(createSeededFractions(Number(process.env.TEST_SEED ?? 76)));
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  const paths = [...operations.map(({ path }) => pathOf(path)), '/', '/nowhere', '/v1/a/b/c'];
  const headers = [
    { host: 'localhost' },
    { host: 'elsewhere.example' },
    { host: 'localhost', origin: 'https://evil.example' },
    { host: 'localhost', 'content-length': '99999999' },
    { host: 'localhost', origin: 'https://evil.example', 'access-control-request-method': 'GET' },
  ];
  const sent = Array.from({ length: runs }, () => ({
    method: dice.pick(methods),
    path: dice.pick(paths),
    headers: dice.pick(headers),
  }));
  const rest = sent.values();
  const sender = async () => {
    for (const one of rest) await send(port, one);
  };
  await Promise.all(Array.from({ length: 16 }, sender));

  const { body } = await metrics.expose();
  const counted = body.matchAll(
    /tradewind_http_request_duration_seconds_count\{method="(\w+)",route="([^"]+)",status="(\d+)"\} (\d+)/g,
  );
  const seen = [...counted].map(([, method = '', route = '', status, times]) => ({
    method,
    route,
    status,
    times: Number(times),
  }));
  expect(seen.reduce((sum, { times }) => sum + times, 0)).toBe(runs);
  const at = indexOperations(operations);
  const undeclared = seen.filter(({ method, route }) => {
    // Receivers of events in the console answer every method.
    if (route.startsWith('/console/test-receiver')) return false;
    if (route === '/*') return !['other', ...usual].includes(method);
    const declared = at(exampleOf(route)).map(({ operation }) => operation.method as string);
    return ![...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].includes(
      method,
    );
  });
  expect(undeclared).toEqual([]);
});

/** A path that fits the pattern of a route, which is a template or as Hono writes it. */
function exampleOf(route: string): string {
  const path = route.includes('{') ? pathOf(route) : route.replaceAll(/\/:\w+/g, '/x');
  return path.replace(/\/\*$/, '') || '/';
}

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
