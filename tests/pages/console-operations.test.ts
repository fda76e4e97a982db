import { expect } from 'vitest';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { signInAtConsole, startConsole } from '../support/console-browser.ts';
import { useChromium } from '../support/pages-server.ts';
import { healthyNode, startRpcServer } from '../support/start-rpc-server.ts';
import { testsWith } from '../support/tests-with.ts';

const { test } = testsWith('chromium');

const openPage = useChromium();

test('shows chains with their exchanges, routers and RPC endpoints as measured [K5]', async () => {
  const { url } = await startConsole({
    TRADEWIND_CHAINS: '1,31337',
    TRADEWIND_DEVCHAIN: 'auto',
    // An endpoint that refuses connections, so every measurement of it is a failure.
    TRADEWIND_RPC_1: 'http://127.0.0.1:1',
  });
  const page = await openPage();
  await page.goto(`${url}/console/chains`);
  await page
    .getByRole('group', { name: 'Exchanges of Tradewind development chain' })
    .getByText('uniswap-v3')
    .waitFor();
  await page
    .getByRole('group', { name: 'Routers of Tradewind development chain' })
    .getByText('swap-router-02')
    .waitFor();
  await page.getByText('No endpoint is measured: the chain runs on this machine').waitFor();
  // The first request about a chain starts the measurement of its endpoints.
  await fetch(`${url}/v1/tokens/1`);
  await page.getByLabel('Find a chain').fill('ethereum');
  const endpoints = page.getByRole('group', { name: 'RPC endpoints of Ethereum' });
  const own = endpoints.getByRole('row', { name: /own endpoint 1/ });
  await own.waitFor();
  expect(await own.textContent()).toMatch(/%.*settings/);
  expect(await page.content()).not.toContain('127.0.0.1:1"');
});

test('shows the latency and freshness of an endpoint that answers, and the time of measurement [K5] [K18]', async () => {
  const node = await startRpcServer(healthyNode(1, () => systemClock.now() - 5_000));
  const { url } = await startConsole({ TRADEWIND_CHAINS: '1', TRADEWIND_RPC_1: node.url });
  await fetch(`${url}/v1/tokens/1`);
  const page = await openPage();
  await page.goto(`${url}/console/chains`);
  const own = page.getByRole('row', { name: /own endpoint 1/ });
  await own.getByText('answering').waitFor();
  expect(await own.textContent()).toMatch(/\d ms.*seconds? ago0%/);
  await page.getByText(/^As of \d/).waitFor();
});

test('shows an admin what the process does, and rotates its keys after a question [K8] [K16]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  await page.goto(`${url}/console/system`);
  await page.getByText('for its admins').waitFor();
  expect((await fetch(`${url}/v1/system`)).status).toBe(401);
  await signInAtConsole(page, `${url}/console/system`);
  await page.getByRole('region', { name: 'Process' }).getByText('healthy').waitFor();
  for (const figure of [
    'Undelivered (held or given up, even if replayed)',
    'Active subscriptions (failing ones included)',
  ]) {
    await page.getByRole('region', { name: 'Queues' }).getByText(figure).waitFor();
  }
  await page.getByRole('group', { name: 'Workers' }).getByText('rpc-directory').waitFor();
  const settings = page.getByRole('group', { name: 'Settings in force' });
  const password = settings.getByRole('row', { name: /TRADEWIND_OWNER_PASSWORD/ });
  expect(await password.textContent()).toContain('set, not shown');
  for (const part of ['Tradewind', 'Node.js', 'Database', 'NATS']) {
    await page.getByRole('region', { name: 'Process' }).getByText(part, { exact: true }).waitFor();
  }
  const keys = page.getByRole('group', { name: 'Signing keys' }).locator('tbody tr');
  await expect.poll(() => keys.count()).toBeGreaterThan(0);
  expect(await keys.first().textContent()).toMatch(/\((?:now|.* ago)\)/);
  const before = await keys.count();
  await page.getByRole('button', { name: 'Rotate' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate the signing key?' });
  expect(await question.textContent()).toContain('nobody is signed out');
  await question.getByRole('button', { name: 'Rotate' }).click();
  await expect.poll(() => keys.count()).toBeGreaterThan(before);
});

test('marks figures as outdated, with their time [K18]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  await signInAtConsole(page, `${url}/console/quote`);
  await page.clock.install();
  await page.goto(`${url}/console/system`);
  await page.getByRole('region', { name: 'Process' }).waitFor();
  await page.route('**/v1/system', (route) => route.abort());
  await page.clock.fastForward(6_000);
  const lead = page.getByText(/^This process, as of \d\d?:\d\d:\d\d/);
  await lead.getByText('stale: the server does not answer').waitFor();
});
