import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { issueToken } from '../support/issue-token.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { makeTemporaryDirectory, runTradewind, serve } from '../support/run-tradewind.ts';

type Environment = Record<string, string>;

/** Starts a server that is expected to refuse to start, and returns its message. */
async function startAndFail(environment: Environment): Promise<string> {
  const run = runTradewind(['serve', '--json'], { TRADEWIND_PORT: '0', ...environment });
  expect(await run.ended).toBe(1);
  return run.output().stderr;
}

async function keyIds(url: string): Promise<readonly string[]> {
  const { keys } = (await (await fetch(`${url}/jwks`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

async function startAndStop(environment: Environment): Promise<readonly string[]> {
  const server = await serve({ environment });
  expect(await issueToken(server.url, 'swap.read')).toBeDefined();
  const ids = await keyIds(server.url);
  server.process.kill('SIGTERM');
  await server.ended;
  return ids;
}

const reseal = (environment: Environment, ...flags: string[]) =>
  runInProcess(['keys', 'reseal', '--json', ...flags], { environment });

test('a changed password of PostgreSQL locks nobody out for good [T2]', async () => {
  const owner = await createPostgresDatabase(inject('postgresUrl'));
  const role = `role_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: owner });
  await client.connect();
  await client.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'the-old-password'`);
  const urlWith = (password: string) => {
    const url = new URL(owner);
    url.username = role;
    url.password = password;
    return url.href;
  };
  const TRADEWIND_DATA_DIR = await makeTemporaryDirectory();
  const base = { TRADEWIND_DATA_DIR, TRADEWIND_SERVICES: 'authorization' };
  const before = { ...base, TRADEWIND_DATABASE_URL: urlWith('the-old-password') };
  const ids = await startAndStop(before);

  await client.query(`ALTER ROLE ${role} PASSWORD 'the-new-password'`);
  await client.end();
  const after = { ...base, TRADEWIND_DATABASE_URL: urlWith('the-new-password') };
  expect(await startAndFail(after)).toContain('tradewind keys reseal');
  const lost = await reseal(after);
  expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT_OPENED') });

  const previous = { ...after, TRADEWIND_PREVIOUS_SECRET_KEY: 'the-old-password' };
  const done = await reseal(previous);
  expect(JSON.parse(done.stdout)).toEqual({ openedBy: 'TRADEWIND_PREVIOUS_SECRET_KEY' });
  expect(JSON.parse((await reseal(after)).stdout)).toEqual({ openedBy: 'already' });
  expect(await startAndStop(after)).toEqual(ids);
});

test('refuses to run while a server uses the embedded store [T2]', async () => {
  const TRADEWIND_DATA_DIR = await makeTemporaryDirectory();
  const database = await openDatabase({ dataDir: TRADEWIND_DATA_DIR, url: undefined });
  onTestFinished(() => database.close());
  for (const flags of [[], ['--discard', '--yes']]) {
    const refused = await reseal({ TRADEWIND_DATA_DIR }, ...flags);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr).error).toEqual({
      code: 'IN_USE',
      message: `A server uses ${TRADEWIND_DATA_DIR}: stop it, run tradewind keys reseal again, then start it.`,
    });
  }
});

test('a lost secret key costs the sealed secrets and nothing else [T2]', async () => {
  const TRADEWIND_DATA_DIR = await makeTemporaryDirectory();
  const base = { TRADEWIND_DATA_DIR, TRADEWIND_SERVICES: 'authorization,events' };
  // Moves from the key file to a secret key, and back after the secret key is lost.
  const ids = await startAndStop(base);
  const withKey = { ...base, TRADEWIND_SECRET_KEY: 'a secret key of some length' };
  expect(await startAndFail(withKey)).toContain('tradewind keys reseal');
  expect(JSON.parse((await reseal(withKey)).stdout).openedBy).toContain('master.key');
  expect(await startAndStop(withKey)).toEqual(ids);

  expect(await reseal(base)).toMatchObject({ code: 1 });
  expect(await reseal(base, '--discard')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be undone'),
  });
  const discarded = await reseal(base, '--discard', '--yes');
  expect(JSON.parse(discarded.stdout)).toEqual({ signingKeys: 1, webhooks: 0 });
  const anew = await startAndStop(base);
  expect(anew).toHaveLength(1);
  expect(anew).not.toEqual(ids);
});
