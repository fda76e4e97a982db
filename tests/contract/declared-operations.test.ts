import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrieRouter } from 'hono/router/trie-router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredServices } from '../../scripts/declared-services.ts';
import { type Composition, compose } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/settings/load-config.ts';
import {
  flattenPath,
  indexOperations,
  parsePathTemplate,
} from '../../src/kernel/edge/index-operations.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createHealth } from '../../src/kernel/process/supervisor.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { createSteadyClock, systemClock } from '../../src/kernel/wait/clock.ts';

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
