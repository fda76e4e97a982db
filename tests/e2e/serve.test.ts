import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { makeTemporaryDirectory, runTradewind, serve } from '../support/run-tradewind.ts';

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

  it('exposes Prometheus metrics, requests counted by route [H9]', async () => {
    const { url } = await serve();
    await fetch(`${url}/health`);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(
      /tradewind_http_request_duration_seconds_count\{method="GET",route="\/health",status="200"\} 1/,
    );
    expect(metrics).toContain('process_cpu_seconds_total');
  });

  it('prints what it serves and what to try next', async () => {
    const dataDir = await makeTemporaryDirectory();
    const run = runTradewind(['serve', '--port', '0', '--data-dir', dataDir, '--devchain', 'off']);
    await new Promise((resolve) => run.process.stdout?.once('data', resolve));
    const { stdout } = run.output();
    expect(stdout).toMatch(/is ready on http:\/\/localhost:\d+/);
    expect(stdout).toMatch(/curl http:\/\/localhost:\d+\//);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s with exit code 0 [H12]', async (signal) => {
    const server = await serve();
    server.process.kill(signal);
    expect(await server.ended).toBe(0);
    expect(server.output().stderr).toContain('"msg":"ended"');
  });

  it('ends at once on a second signal [H13]', async () => {
    const server = await serve();
    server.process.kill('SIGTERM');
    server.process.kill('SIGINT');
    expect(await server.ended).toBe(130);
  });

  it('starts again on the same data directory', async () => {
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

  it('runs on PostgreSQL, two processes side by side', async () => {
    const url = await createPostgresDatabase(inject('postgresUrl'));
    const environment = { TRADEWIND_DATABASE_URL: url };
    const servers = await Promise.all([serve({ environment }), serve({ environment })]);
    for (const server of servers) expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it('refuses a port that is taken, and names it', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
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

  it('refuses plain HTTP where others can reach it [S13]', async () => {
    const run = runTradewind(['serve', '--host', '0.0.0.0', '--public-url', 'https://t.example']);
    expect(await run.ended).toBe(2);
    expect(run.output().stderr).toContain('TRADEWIND_TLS_CERT');
  });

  it('says in one sentence that the runtime is too old [H2]', async () => {
    const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));
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
