import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished, test } from 'vitest';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { openPostgresProxy } from '../support/open-postgres-proxy.ts';
import {
  makeTemporaryDirectory,
  runTradewind,
  type ServerUnderTest,
  serve,
} from '../support/run-tradewind.ts';

const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));
const certificate = (name: string) =>
  fileURLToPath(new URL(`../support/certificates/${name}.pem`, import.meta.url));

const tlsSettings = (cert: string, key: string) => ({
  TRADEWIND_TLS_CERT: certificate(cert),
  TRADEWIND_TLS_KEY: certificate(key),
});

async function takePort(): Promise<{ port: number; server: Server }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server };
}

async function openDatabaseProxy() {
  return openPostgresProxy(await createPostgresDatabase(inject('postgresUrl')));
}

async function askHealth(url: string): Promise<{ status: number; error: unknown }> {
  const response = await fetch(`${url}/health`);
  return { status: response.status, error: ((await response.json()) as { error: unknown }).error };
}

/** The serial number of the certificate that is served at a port. */
async function serialOf(port: number): Promise<string> {
  const socket = connect({ port, host: 'localhost', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

/** Begins a request that never ends, for which the shutdown of the server waits. */
async function beginRequest(url: string): Promise<void> {
  const headers = { Expect: '100-continue', 'Transfer-Encoding': 'chunked' };
  const begun = request(`${url}/token`, { method: 'POST', headers });
  begun.on('error', () => {});
  onTestFinished(() => void begun.destroy());
  begun.flushHeaders();
  await once(begun, 'continue');
}

/** Asks a server to reload its files, and waits until it logs the outcome. */
async function reload(server: ServerUnderTest, outcome: string): Promise<void> {
  server.process.kill('SIGHUP');
  await server.match(new RegExp(outcome));
}

describe('tradewind serve', () => {
  it('answers the health envelope once it is ready [H11]', async () => {
    const { url } = await serve();
    const response = await fetch(`${url}/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      success: true,
      data: { status: 'ok' },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  it('answers 503 while it starts [H11]', async () => {
    const database = await openDatabaseProxy();
    database.freeze();
    const port = await findFreePort();
    runTradewind(['serve', '--port', String(port), '--database-url', database.url], {
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
    });
    await database.connected;
    expect(await askHealth(`http://127.0.0.1:${port}`)).toEqual({
      status: 503,
      error: expect.objectContaining({ code: 'NOT_READY', details: { process: 'starting' } }),
    });
  });

  it('answers 503 while its database hangs, and yet ends when asked [H11, H12]', async () => {
    const database = await openDatabaseProxy();
    const server = await serve({ environment: { TRADEWIND_DATABASE_URL: database.url } });
    database.freeze();
    expect(await askHealth(server.url)).toEqual({
      status: 503,
      error: expect.objectContaining({ details: { database: 'does not answer in time' } }),
    });
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.output().stderr).toContain('ended what did not stop in time');
  });

  it('exposes Prometheus metrics, requests counted by route [H9]', async () => {
    const { url } = await serve();
    await fetch(`${url}/health`);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(
      /tradewind_http_request_duration_seconds_count\{method="GET",route="\/health",status="200"\} 1/,
    );
    expect(metrics).toContain('process_cpu_seconds_total');
  });

  it('prints what it serves, how to sign in and what to try next [H1]', async () => {
    const dataDir = await makeTemporaryDirectory();
    const run = runTradewind(['serve', '--port', '0', '--data-dir', dataDir, '--devchain', 'off']);
    await run.match(/Ctrl-C/);
    const { stdout } = run.output();
    expect(stdout).toMatch(/is ready on http:\/\/localhost:\d+/);
    expect(stdout).toMatch(/curl http:\/\/localhost:\d+\//);
    expect(stdout).toMatch(/Services +swap, authorization/);
    expect(stdout).toMatch(/npx tradewind login http:\/\/localhost:\d+/);
    const [, link = ''] = /password of the owner: (\S+)/.exec(stdout) ?? [];
    const page = await (await fetch(link)).text();
    expect(page).toContain('name="password"');
  });

  it('runs no development chain that is not listed, and names unknown chains', async () => {
    const server = await serve({
      environment: { TRADEWIND_CHAINS: '1,999999', TRADEWIND_DEVCHAIN: 'auto' },
    });
    expect(server.output().stderr).toContain('"chains":[999999]');
    expect(server.output().stdout).not.toContain('31337');
    expect((await fetch(`${server.url}/rpc/31337`)).status).toBe(404);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s with exit code 0 [H12]', async (signal) => {
    const server = await serve();
    server.process.kill(signal);
    expect(await server.ended).toBe(0);
    expect(server.output().stderr).toContain('"msg":"ended"');
  });

  it('goes on when the reader of its log is gone [H8]', async () => {
    const server = await serve();
    server.process.stderr?.destroy();
    for (let count = 0; count < 3; count += 1) {
      expect((await fetch(`${server.url}/jwks`)).status).toBe(200);
    }
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('takes two signals in a row for one stop, and ends at once on a later one [H13, F45]', async () => {
    const server = await serve();
    await beginRequest(server.url);
    server.process.kill('SIGTERM');
    server.process.kill('SIGINT');
    const isAnswered = () => fetch(server.url).then(Boolean, () => false);
    await expect.poll(isAnswered).toBe(false);
    expect(server.process.exitCode).toBe(null);
    const pressAgain = () => {
      server.process.kill('SIGINT');
      return server.process.exitCode;
    };
    await expect.poll(pressAgain).toBe(130);
  });

  it('starts again on the same data directory [H20]', async () => {
    const first = await serve();
    first.process.kill('SIGKILL');
    await first.ended;
    const again = await serve({ dataDir: first.dataDir });
    expect((await fetch(`${again.url}/health`)).status).toBe(200);
  });

  it('refuses a data directory that another process uses, and says so [H20]', async () => {
    const { dataDir } = await serve();
    const second = runTradewind([
      'serve',
      '--port',
      '0',
      '--data-dir',
      dataDir,
      '--devchain',
      'off',
    ]);
    expect(await second.ended).toBe(1);
    expect(second.output().stderr).toContain(dataDir);
  });

  it('runs on PostgreSQL, two processes side by side [H19]', async () => {
    const url = await createPostgresDatabase(inject('postgresUrl'));
    const environment = { TRADEWIND_DATABASE_URL: url };
    const servers = await Promise.all([serve({ environment }), serve({ environment })]);
    for (const server of servers) {
      // Each check gives the database two seconds to answer, which a busy machine may miss at first.
      await expect.poll(() => askHealth(server.url)).toMatchObject({ status: 200 });
    }
  });

  it('refuses a port that is taken, and names it', async () => {
    const { port, server } = await takePort();
    onTestFinished(() => void server.close());
    const dataDir = await makeTemporaryDirectory();
    const run = runTradewind(['serve', '--port', String(port), '--data-dir', dataDir]);
    expect(await run.ended).toBe(1);
    expect(run.output().stderr).toContain(String(port));
  });

  it('reports every wrong setting in one start and exits 2 [H3]', async () => {
    const run = runTradewind(['serve', '--port', 'x', '--services', 'y'], {
      TRADEWIND_RATE_LIMIT: 'z',
    });
    expect(await run.ended).toBe(2);
    const { stderr, stdout } = run.output();
    for (const name of ['--port', '--services', 'TRADEWIND_RATE_LIMIT'])
      expect(stderr).toContain(name);
    expect(stdout).toBe('');
  });

  it.each([
    ['without its key', { TRADEWIND_TLS_CERT: certificate('localhost') }],
    ['with no key at that path', tlsSettings('localhost', 'absent')],
    ['with the key of another', tlsSettings('localhost', 'elsewhere-key')],
    ['with a key that is none', tlsSettings('localhost', 'elsewhere')],
  ])('refuses a certificate %s and exits 2 [H40]', async (_what, environment) => {
    const run = runTradewind(['serve', '--port', '0'], environment);
    expect(await run.ended).toBe(2);
    expect(run.output().stderr).toContain('TRADEWIND_TLS_KEY');
  });

  it('serves a renewed certificate after SIGHUP, and keeps the old one where there is none [S13]', async () => {
    const dataDir = await makeTemporaryDirectory();
    const [cert, key] = [join(dataDir, 'cert.pem'), join(dataDir, 'key.pem')];
    const install = async (name: string) => {
      await copyFile(certificate(name), cert);
      await copyFile(certificate(`${name}-key`), key);
    };
    await install('localhost');
    const server = await serve({
      dataDir,
      environment: { TRADEWIND_TLS_CERT: cert, TRADEWIND_TLS_KEY: key },
    });
    const { port } = new URL(server.url);
    const first = await serialOf(Number(port));
    await writeFile(cert, 'no certificate');
    await reload(server, 'certificate could not be read again');
    expect(await serialOf(Number(port))).toBe(first);
    await install('renewed');
    await reload(server, 'certificate read again');
    expect(await serialOf(Number(port))).not.toBe(first);
  });

  it('refuses plain HTTP where others can reach it [H41, S13]', async () => {
    const run = runTradewind(['serve', '--host', '0.0.0.0', '--public-url', 'https://t.example']);
    expect(await run.ended).toBe(2);
    expect(run.output().stderr).toContain('TRADEWIND_TLS_CERT');
  });

  it('says in one sentence that the runtime is too old [H2]', async () => {
    const program = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' }); await import(${JSON.stringify(launcher)});`;
    const failure = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      program,
    ]).catch((error) => error);
    expect(failure.code).toBe(1);
    expect(failure.stderr.trim().split('\n')).toHaveLength(1);
    expect(failure.stderr).toContain('Tradewind needs Node.js 24');
  });
});

test('a command whose reader is gone exits silently with 141, as after SIGPIPE', async () => {
  // The shell starts the command only when its reader is gone.
  const script = 'read go; exec "$@"';
  const run = spawn('sh', ['-c', script, 'sh', process.execPath, launcher, 'help']);
  run.stdout.destroy();
  run.stdin.end('go\n');
  const [stderr, [code]] = await Promise.all([text(run.stderr), once(run, 'close')]);
  expect([code, stderr]).toEqual([141, '']);
});
