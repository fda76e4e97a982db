import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrieRouter } from 'hono/router/trie-router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredServices } from '../../scripts/declared-services.ts';
import { type Composition, compose } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/settings/load-config.ts';
import { createHealth } from '../../src/kernel/lifecycle/health.ts';
import { createLogger } from '../../src/kernel/logging/logger.ts';
import { createMetrics } from '../../src/kernel/metrics/metrics.ts';
import { indexOperations } from '../../src/kernel/operations/index-operations.ts';
import { flattenPath, parsePathTemplate } from '../../src/kernel/operations/path-template.ts';
import { systemRandom } from '../../src/kernel/random/random.ts';
import { systemClock } from '../../src/kernel/time/clock.ts';
import { createSteadyClock } from '../../src/kernel/time/steady-clock.ts';

let composition: Composition;
const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-data-'));

beforeAll(async () => {
  const environment = {
    TRADEWIND_DATA_DIR: dataDir,
    TRADEWIND_IDP_ISSUER: 'https://identity.example',
    TRADEWIND_IDP_CLIENT_ID: 'tradewind',
    TRADEWIND_IDP_CLIENT_SECRET: 'secret',
  };
  const { config } = loadConfig({ environment, flags: {} });
  composition = await compose({
    config,
    publicUrl: new URL('http://localhost:8787'),
    isLoopback: true,
    logger: createLogger({ level: 'silent', format: 'json', write: () => {} }),
    metrics: createMetrics(),
    health: createHealth(),
    clock: createSteadyClock(systemClock),
    random: systemRandom,
  });
});

afterAll(async () => {
  await composition.close();
  rmSync(dataDir, { recursive: true });
});

const declared = declaredServices.flatMap(({ operations }) => operations);
const examplePath = (path: string) =>
  flattenPath(parsePathTemplate(path))
    .replace('{resource}', 'mcp')
    .replaceAll(/\{\w+\}/g, 'x');

function servedRoutes() {
  return composition.mounts.flatMap(({ app, endpoints = [], answer, service }) => [
    ...(app?.routes ?? []).map(({ method, path }) => ({ method, path })),
    ...endpoints.map(({ method, path }) => ({ method, path })),
    ...(answer ? (service?.operations ?? []) : []).map(({ method, path }) => ({
      method: method as string,
      path: examplePath(path),
    })),
  ]);
}

describe('a whole server', () => {
  it('serves no path that is not declared', () => {
    const at = indexOperations(declared);
    const undeclared = servedRoutes()
      // A route for all methods below a path is middleware, not an operation.
      .filter(({ method, path }) => !(method === 'ALL' && path.endsWith('*')))
      .filter(({ method, path }) => {
        const example = path.replaceAll(/\/:\w+/g, '/x').replace(/\/\*?$/, '') || '/';
        const found = at(example).map(({ operation }) => operation.method as string);
        return method === 'ALL' ? found.length === 0 : !found.includes(method);
      });
    expect(undeclared).toEqual([]);
  });

  it('declares no operation that is not served', () => {
    const router = new TrieRouter<string>();
    for (const { method, path } of servedRoutes()) {
      if (method === 'ALL' && path.endsWith('*')) continue;
      router.add('ALL', path.replace(/(.)\/$/, '$1'), method);
    }
    const absent = declared.filter(({ method, path }) => {
      const methods = router.match('ALL', examplePath(path))[0].map(([served]) => served);
      return !methods.includes(method) && !methods.includes('ALL');
    });
    expect(absent.map(({ id }) => id)).toEqual([]);
  });

  it('has a name for each operation', () => {
    const ids = declared.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
