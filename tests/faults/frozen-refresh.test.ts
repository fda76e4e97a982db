import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { answered, openTokenWorld } from '../support/open-token-world.ts';
import { startChild } from '../support/start-child.ts';
import { startPostgres } from '../support/start-postgres.ts';

const script = new URL('children/serve-tokens.ts', import.meta.url);

test('a client that gave up on a frozen process and refreshed elsewhere stays signed in [R2]', async () => {
  const server = await startPostgres({ isDurable: false });
  onTestFinished(server.stop);
  const options = { dataDir: '', url: server.url };
  const database = await openDatabase(options);
  onTestFinished(() => database.close());
  const world = await openTokenWorld({ database, clock: systemClock });
  const child = startChild(script, [JSON.stringify(options)]);
  onTestFinished(() => child.kill());
  await child.said(1);
  const [url = ''] = child.lines;
  const { refresh_token: first } = await world.signIn();

  child.freeze();
  const body = { grant_type: 'refresh_token', client_id: 'app', refresh_token: first };
  const lost = fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams(body),
    signal: AbortSignal.timeout(200),
  });
  await expect(lost).rejects.toThrow();
  const { refresh_token: second } = answered(await world.refresh(first));
  const { refresh_token: third } = answered(await world.refresh(second));
  child.thaw();
  await child.said(2);

  expect(JSON.parse(child.lines[1]!)).toMatchObject({ path: '/token' });
  expect((await world.refresh(third)).status).toBe(200);
});
