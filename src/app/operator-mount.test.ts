import { describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../tests/support/fake-clock.ts';
import { toPostgresError } from '../kernel/database/postgres/postgres-pool.ts';
import { toSqliteError } from '../kernel/database/sqlite/sqlite-connection.ts';
import { createEdge } from '../kernel/edge/create-edge.ts';
import { parseNetworks } from '../kernel/model/network.ts';
import { systemRandom } from '../kernel/model/random.ts';
import { createHealth } from '../kernel/process/supervisor.ts';
import { createLogger } from '../kernel/telemetry/logger.ts';
import { createMetrics } from '../kernel/telemetry/metrics.ts';
import { createSteadyClock, systemClock } from '../kernel/wait/clock.ts';
import { operatorMount } from './operator-mount.ts';

type Parts = { beat(): Promise<void>; nats: { isUp(): boolean }; clock: FakeClock };

function start({ beat = async () => {}, nats, clock: machine }: Partial<Parts> = {}) {
  const health = createHealth();
  const [metrics, clock] = [createMetrics(), createSteadyClock(machine ?? systemClock)];
  const edge = createEdge({
    publicUrl: new URL('https://tradewind.example'),
    trustedProxies: [],
    mounts: [operatorMount({ health, beat, nats, metrics, clock })],
    logger: createLogger({ level: 'silent', format: 'json', write: () => {} }),
    clock,
    random: systemRandom,
  });
  const connection = { remoteAddress: '192.0.2.1', encrypted: false };
  const ask = (path = '/health') => edge.request(`http://10.0.0.7:8787${path}`, {}, { connection });
  return { health, ask };
}

describe('/health', () => {
  it('answers 503 with the reason until the process is ready [H11]', async () => {
    const { health, ask } = start();
    const before = await ask();
    expect(before.status).toBe(503);
    expect(await before.json()).toMatchObject({
      success: false,
      error: { code: 'NOT_READY', details: { process: 'starting' } },
    });
    health.report('process', undefined);
    expect((await ask()).status).toBe(200);
    health.report('relay', 'failed and is restarted');
    expect((await ask()).status).toBe(503);
  });

  it('is the only path that answers under any Host, for probes [H35]', async () => {
    const { health, ask } = start();
    health.report('process', undefined);
    expect((await ask()).status).toBe(200);
    expect((await ask('/metrics')).status).toBe(403);
  });

  it('answers 503 while the store cannot be written [H11, N10]', async () => {
    const { health, ask } = start({ beat: () => Promise.reject(new Error('gone')) });
    health.report('process', undefined);
    const response = await ask();
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      error: { details: { database: 'cannot be written' } },
    });
    expect(response.headers.get('retry-after')).toBe('10');
  });

  it.each([
    ['SQLite', toSqliteError, { errcode: 13 /* SQLITE_FULL */ }],
    ['PostgreSQL', toPostgresError, { code: '53100' /* disk_full */ }],
  ])('says that the disk is full where %s says so [T7]', async (_, toError, thrown) => {
    const error = toError(Object.assign(new Error('no space'), thrown));
    expect(error.message).toMatch(/disk of .+ is full \(no space\): make room/);
    const { health, ask } = start({ beat: () => Promise.reject(error) });
    health.report('process', undefined);
    expect(await (await ask()).json()).toMatchObject({
      error: { details: { database: 'cannot be written, its disk is full' } },
    });
  });

  it('writes once a second at most, however often it is asked [N10]', async () => {
    const clock = createFakeClock();
    let beats = 0;
    const beat = async () => {
      beats += 1;
    };
    const { health, ask } = start({ beat, clock });
    health.report('process', undefined);
    await Promise.all([ask(), ask(), ask()]);
    await ask();
    expect(beats).toBe(1);
    clock.advance(1_001);
    expect((await ask()).status).toBe(200);
    expect(beats).toBe(2);
  });

  it('answers 503 while the clock is far behind what it was, and names it [N10, T7]', async () => {
    const clock = createFakeClock();
    const { health, ask } = start({ clock });
    health.report('process', undefined);
    clock.setBack(4 * 60_000);
    expect((await ask()).status).toBe(200);
    clock.setBack(56 * 60_000);
    expect(await (await ask()).json()).toMatchObject({
      error: { details: { clock: expect.stringContaining('60 minutes behind') } },
    });
  });

  it('names NATS while it does not answer, and stays ready: events wait [H11]', async () => {
    let isUp = true;
    const { health, ask } = start({ nats: { isUp: () => isUp } });
    health.report('process', undefined);
    expect(await (await ask()).json()).toMatchObject({ data: { status: 'ok' } });
    isUp = false;
    const response = await ask();
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      data: { status: 'ok', nats: 'does not answer, events wait' },
    });
  });
});

describe('/metrics', () => {
  const from = (
    remoteAddress: string,
    headers: Record<string, string> = {},
    proxies: readonly string[] = [],
  ) => {
    const publicUrl = new URL('http://localhost:8787');
    const [health, metrics, clock] = [createHealth(), createMetrics(), systemClock];
    const protectAsAdmin = async (request: Request) =>
      request.headers.has('authorization') ? {} : new Response(null, { status: 401 });
    const beat = async () => {};
    const edge = createEdge({
      publicUrl,
      trustedProxies: parseNetworks(proxies),
      mounts: [operatorMount({ health, beat, metrics, protectAsAdmin, clock })],
      logger: createLogger({ level: 'silent', format: 'json', write: () => {} }),
      clock,
      random: systemRandom,
    });
    const connection = { remoteAddress, encrypted: false };
    return edge.request(`${publicUrl}metrics`, { headers }, { connection });
  };

  it('is readable from this machine without a token, and from elsewhere only with one [F23]', async () => {
    expect((await from('127.0.0.1')).status).toBe(200);
    expect((await from('192.0.2.1')).status).toBe(401);
    expect((await from('127.0.0.1', { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(401);
    expect((await from('192.0.2.1', { Authorization: 'Bearer admin' })).status).toBe(200);
  });

  it('asks for a token of whoever comes through a declared proxy on this machine [F31]', async () => {
    expect((await from('127.0.0.1', {}, ['loopback'])).status).toBe(401);
    expect((await from('127.0.0.1', { Authorization: 'Bearer admin' }, ['loopback'])).status).toBe(
      200,
    );
  });

  it('is written twice at most for a burst of requests, and tells what is so at each [F76]', async () => {
    let written = 0;
    const metrics = createMetrics();
    metrics.gauge({ name: 'looks', help: 'Looks.', collect: (gauge) => gauge.set(++written) });
    const clock = createFakeClock();
    const edge = createEdge({
      publicUrl: new URL('http://localhost:8787'),
      trustedProxies: [],
      mounts: [operatorMount({ health: createHealth(), beat: async () => {}, metrics, clock })],
      logger: createLogger({ level: 'silent', format: 'json', write: () => {} }),
      clock,
      random: systemRandom,
    });
    const connection = { remoteAddress: '127.0.0.1', encrypted: false };
    const ask = () => edge.request('http://localhost:8787/metrics', {}, { connection });
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(written).toBe(2);
    expect(await (await ask()).text()).toContain('looks 3');
  });
});
