import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { makeTemporaryDirectory, serve, useServer } from '../support/run-tradewind.ts';
import { startNats } from '../support/start-nats.ts';
import { testsWith } from '../support/tests-with.ts';

const pem = (name: string) =>
  fileURLToPath(new URL(`../support/certificates/${name}.pem`, import.meta.url));

async function doctor(environment: Record<string, string> = {}) {
  const { code, stdout } = await runInProcess(['doctor', '--json'], {
    environment: {
      TRADEWIND_PORT: '0',
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
      ...environment,
    },
  });
  const { ok, findings } = JSON.parse(stdout);
  const of = (check: string) =>
    findings.find((finding: { check: string }) => finding.check === check);
  return { code, ok, of };
}

async function startRpc(chainId: string): Promise<string> {
  const server = createServer((_request, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: chainId })),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/key-in-path`;
}

const running = useServer();
const tlsSettings = {
  TRADEWIND_TLS_CERT: pem('localhost'),
  TRADEWIND_TLS_KEY: pem('localhost-key'),
};

describe('tradewind doctor', () => {
  it('finds nothing wrong in an empty directory [H55, H56]', async () => {
    const { code, ok, of } = await doctor();
    expect(code).toBe(0);
    expect(ok).toBe(true);
    for (const check of ['runtime', 'settings', 'disk', 'database', 'port', 'clock', 'rpc']) {
      expect(of(check)).toMatchObject({ ok: true });
    }
  });

  it('leaves nothing behind, whether the server has run here or not [H56]', async () => {
    const parent = await makeTemporaryDirectory();
    const { code } = await doctor({ TRADEWIND_DATA_DIR: join(parent, 'not', 'there') });
    expect(code).toBe(0);
    expect(await readdir(parent)).toEqual([]);
    const server = await serve();
    server.process.kill('SIGTERM');
    await server.ended;
    const before = await readdir(server.dataDir);
    expect((await doctor({ TRADEWIND_DATA_DIR: server.dataDir })).code).toBe(0);
    expect(await readdir(server.dataDir)).toEqual(before);
  });

  it('goes through all checks, however many find something to mend [H55]', async () => {
    const file = join(await makeTemporaryDirectory(), 'file');
    await writeFile(file, 'no directory');
    const rpc = await startRpc('0xa');
    const { code, of } = await doctor({
      TRADEWIND_RATE_LIMIT: 'much',
      TRADEWIND_DATA_DIR: file,
      TRADEWIND_DATABASE_URL: 'postgres://u@127.0.0.1:1/d',
      TRADEWIND_PORT: new URL(rpc).port,
      TRADEWIND_RPC_1: rpc,
    });
    expect(code).toBe(1);
    for (const check of ['settings', 'disk', 'database', 'port', 'rpc']) {
      expect(of(check)).toMatchObject({ ok: false, mend: expect.any(String) });
    }
    for (const check of ['runtime', 'clock']) expect(of(check)).toMatchObject({ ok: true });
  });

  it('is coloured on a terminal only, and not while NO_COLOR is set [H53]', async () => {
    const argv = ['doctor', '--port', '0', '--data-dir', await makeTemporaryDirectory()];
    const green = '\u001b[32m';
    expect((await runInProcess(argv, { columns: 80 })).stdout).toContain(green);
    expect((await runInProcess(argv)).stdout).not.toContain(green);
    const environment = { NO_COLOR: '1' };
    const plain = await runInProcess(argv, { columns: 80, environment });
    expect(plain.stdout).toMatch(/^ok {3}runtime/);
  });

  it('says how to mend wrong settings [H55, H56]', async () => {
    const { code, of } = await doctor({ TRADEWIND_RATE_LIMIT: 'much' });
    expect(code).toBe(1);
    expect(of('settings').detail).toContain('TRADEWIND_RATE_LIMIT');
  });

  it('says how to mend a data directory in use [H55, H56]', async () => {
    const { code, of } = await doctor({ TRADEWIND_DATA_DIR: running.dataDir });
    expect(code).toBe(1);
    expect(of('database')).toEqual({
      check: 'database',
      ok: false,
      detail: `embedded, in ${running.dataDir}, is in use by another process`,
      mend: 'stop the process that uses it, or choose another directory with TRADEWIND_DATA_DIR',
    });
  });

  it.each([
    ['HTTP', {}, async () => running],
    ['HTTPS', tlsSettings, () => serve({ environment: tlsSettings })],
  ])(
    'finds nothing wrong beside the server that runs here over %s [H55, H56]',
    async (_, tls, start) => {
      const { dataDir, url } = await start();
      const { code, of } = await doctor({
        TRADEWIND_DATA_DIR: dataDir,
        TRADEWIND_PORT: new URL(url).port,
        ...tls,
      });
      for (const check of ['database', 'port']) expect(of(check)).toMatchObject({ ok: true });
      expect(code).toBe(0);
    },
  );

  it('says how to mend a PostgreSQL that does not answer, without its password [H55, H56]', async () => {
    const { of } = await doctor({ TRADEWIND_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' });
    expect(of('database')).toMatchObject({
      ok: false,
      mend: expect.stringContaining('TRADEWIND_DATABASE_URL'),
    });
    expect(JSON.stringify(of('database'))).not.toContain('hunter2');
  });

  it('says how to mend a NATS server that does not answer, without its password [H55, H56]', async () => {
    const { code, of } = await doctor({ TRADEWIND_NATS_URL: 'nats://u:hunter2@127.0.0.1:9' });
    expect(code).toBe(1);
    expect(of('nats')).toMatchObject({
      ok: false,
      mend: expect.stringContaining('TRADEWIND_NATS_URL'),
    });
    expect(JSON.stringify(of('nats'))).not.toContain('hunter2');
  });

  testsWith('nats').it('asks the NATS server for JetStream [H55]', async () => {
    const nats = await startNats();
    const found = await doctor({ TRADEWIND_NATS_URL: nats.url });
    expect(found.of('nats')).toMatchObject({ ok: true });
    const without = await startNats({ store: false });
    const { of } = await doctor({ TRADEWIND_NATS_URL: without.url });
    expect(of('nats')).toMatchObject({ ok: false, detail: expect.stringContaining('JetStream') });
  });

  it('asks the RPC endpoints for their chain and hides what may be a key [H55, H56]', async () => {
    const rpc = await startRpc('0xa');
    const wrong = await doctor({ TRADEWIND_RPC_1: rpc });
    expect(wrong.of('rpc')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('chain 10'),
    });
    expect(JSON.stringify(wrong.of('rpc'))).not.toContain('key-in-path');
    expect((await doctor({ TRADEWIND_RPC_10: rpc })).of('rpc')).toMatchObject({ ok: true });
  });
});
