import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers, signInAtConsole, startConsole } from '../support/console-browser.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const { describe, test } = testsWith('chromium');

const openPage = useChromium();
const type = 'google.workspace.drive.file.v3.created';
const target = '//drive.googleapis.com/files/abc';

/** Creates a subscription with a webhook in the form of the page, and returns its row. */
async function subscribe(page: Page, webhook: string) {
  await page.getByText('New subscription').click();
  await page.getByLabel('Target').fill(target);
  await page.getByLabel('Event types').fill(type);
  await page.getByLabel('Address').fill(webhook);
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row').filter({ hasText: target });
  await row.waitFor();
  return row;
}

/** Publishes an event of the target by the same call of the interface that the page uses. */
async function publish(page: Page): Promise<void> {
  const style = await page.locator('link[rel=icon]').getAttribute('href');
  const event = { specversion: '1.0', id: crypto.randomUUID(), source: '//test', type };
  const call = {
    method: 'POST',
    body: { ...event, subject: target, data: { file: { name: 'files/abc' } } },
    headers: { 'Content-Type': 'application/cloudevents+json' },
  };
  const api = String(style).replace('icon.svg', 'browser/api.ts');
  await page.evaluate(
    `import('${api}').then(({ callApi }) => callApi('/v1/events', ${JSON.stringify(call)}))`,
  );
}

async function expectNoBarriers(page: Page) {
  // Another test checks every page in all four combinations; this one checks it with content.
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1_200, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await findBarriers(page), `${page.url()} at ${width}, ${colorScheme}`).toEqual([]);
    const folder = process.env.TRADEWIND_SCREENSHOTS;
    const name = new URL(page.url()).pathname.split('/').slice(2, 4).join('-').slice(0, 20);
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
}

describe('what the console shows of change notifications', () => {
  test('subscriptions are made, renewed and deleted, and every delivery is seen as it happens [K2, K3, K13, K15, K16, K17]', async () => {
    const { url } = await startConsole();
    const receiver = await startWebhookReceiver(() => ({ status: 200, body: 'thank you' }));
    const page = await openPage();
    await signInAtConsole(page, `${url}/console/subscriptions`);
    await page.getByText('tradewind subscribe //').waitFor();
    await page.getByText('New subscription').click();
    await expect.poll(() => page.getByLabel('Target').inputValue()).not.toBe('');
    await page.getByLabel('Target').fill('');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('Target').and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await page.getByText('This is required.', { exact: true }).waitFor();
    await page.getByText('New subscription').click();
    const row = await subscribe(page, receiver.url);
    expect(await page.getByRole('group', { name: 'Signing secret' }).textContent()).toMatch(
      /^whsec_/,
    );
    expect(await row.textContent()).toContain(receiver.url);
    await row.getByRole('button', { name: 'Renew' }).click();
    await page.getByText(/^Renewed subscriptions\//).waitFor();
    await expectNoBarriers(page);

    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
    const name = await page.getByRole('heading', { level: 1 }).textContent();
    expect(name).toMatch(/^subscriptions\//);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await receiver.got(1);
    const delivery = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1);
    await delivery.filter({ hasText: '200' }).waitFor({ timeout: 1_000 });
    expect(await delivery.textContent()).toMatch(/200.*\d ms/);
    const details = delivery.getByRole('button', { name: 'Details' });
    await details.press('Enter');
    await page.getByRole('group', { name: 'Request' }).filter({ hasText: 'webhook-id' }).waitFor();
    expect(await page.getByRole('group', { name: 'Response' }).textContent()).toBe('thank you');
    await expectNoBarriers(page);
    const before = page.locator('table[aria-label=Deliveries] tbody > tr:not(.below)');
    await page.getByRole('button', { name: /^Replay/ }).press('Enter');
    await page.getByText('Queued to be sent again: 1 event.').waitFor();
    await receiver.got(2);
    // The focused element keeps the focus when a row appears above it.
    await expect.poll(() => before.count()).toBe(2);
    await page.locator('button:focus', { hasText: 'Replay' }).waitFor();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('the API can set the old secret again');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('group', { name: 'Signing secret' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    // The page soon learns that the replayed event no longer waits.
    const nothingWaits = `no more events of ${target}. The log is dropped. This cannot be undone.`;
    await expect.poll(() => dialog.textContent(), { timeout: 5_000 }).toContain(nothingWaits);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no subscription yet').waitFor();
  });

  test('event types to choose from are read whole on a narrow page [K15]', async () => {
    const { url } = await startConsole();
    const page = await openPage({ viewport: { width: 390, height: 900 } });
    await signInAtConsole(page, `${url}/console/subscriptions`);
    await page.getByText('New subscription').click();
    await page.getByLabel('Target').fill('//chat.googleapis.com/spaces/abc');
    const choices = page.getByRole('group', { name: 'Types to choose from' });
    await choices.getByLabel('google.workspace.chat.membership.v1.created').waitFor();
    expect(await choices.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  });

  test('a sample is published and seen within a second, by type and subject [K4, K13, K15]', async () => {
    const { url } = await startConsole();
    const page = await openPage();
    await signInAtConsole(page, `${url}/console/events`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('Publish an event').click();
    await page.getByLabel('Event type').selectOption(type);
    expect(await page.getByLabel('Data', { exact: true }).inputValue()).toContain('"file"');
    await page.getByLabel('Data', { exact: true }).fill('no JSON');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('This is not a JSON object: write one such as {"file": {}}.').waitFor();
    await page.getByLabel('Data', { exact: true }).fill('{"file": {"name": "files/abc"}}');
    await page.getByLabel('Subject', { exact: true }).fill(target);
    await page.getByRole('button', { name: 'Publish' }).click();
    const row = page
      .getByRole('table', { name: 'Events' })
      .getByRole('row')
      .filter({ hasText: target });
    await page.getByText(/^Published [0-9a-f]{8}/).waitFor();
    await row.waitFor({ timeout: 1_000 });
    await expectNoBarriers(page);
    await page.getByLabel('Filter by type').fill('crm.');
    await page.getByText('Nothing fits the filter').waitFor();
    await page.getByLabel('Filter by type').fill('google.workspace.drive');
    await row.waitFor();
    await page.getByLabel('Filter by subject').fill('//drive.googleapis.com/files/none');
    await page.getByText('Nothing fits the filter').waitFor();
    await page.getByLabel('Filter by subject').fill(target);
    await row.waitFor();
  });

  test('the catalogue shows samples, and applications of one’s own come and go [K7, K15, K16]', async () => {
    const { url } = await startConsole();
    const page = await openPage();
    await signInAtConsole(page, `${url}/console/applications`);
    await page.getByText('Add an application').click();
    await page.getByLabel('Name', { exact: true }).fill('crm');
    await page.getByLabel('Target pattern').fill('//crm/deals/{deal}');
    await page.getByLabel('Event types').fill('crm.deal.v1.won');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: 'crm' }).waitFor();
    await page.getByText('1 event type with samples').click();
    const sample = page.getByRole('group', { name: 'Sample of crm.deal.v1.won', exact: true });
    expect(JSON.parse((await sample.textContent()) ?? '')).toMatchObject({
      subject: '//crm/deals/sample',
    });
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Remove crm' }).click();
    expect(await page.getByRole('dialog').textContent()).toContain(
      'Its events can no longer be published. Add it again under the same name to undo it.',
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Removed crm.').waitFor();
  });

  test('what could not be delivered is seen, reactivated and replayed, also after a restart of the server [K2, K3, K13, K18]', async () => {
    const stays = { TRADEWIND_DATA_DIR: createDataDir() };
    const { url, stop } = await startConsole(stays);
    let isGone = true;
    const receiver = await startWebhookReceiver(() => ({ status: isGone ? 410 : 200 }));
    const page = await openPage();
    await signInAtConsole(page, `${url}/console/subscriptions`);
    const row = await subscribe(page, receiver.url);
    await row.getByRole('link').click();
    const sendTest = page.getByRole('button', { name: 'Send test event' });
    const undelivered = page.getByRole('table', { name: 'Undelivered' }).locator('tbody tr');
    await sendTest.click();
    await page.getByText('The endpoint is gone').first().waitFor();
    // The endpoint gets nothing more, not even a test event: new events are held.
    await sendTest.waitFor({ state: 'detached' });
    for (const held of [2, 3]) {
      await publish(page);
      await page.reload();
      await expect.poll(() => undelivered.count()).toBe(held);
    }
    await expectNoBarriers(page);

    isGone = false;
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByText('It is active again').waitFor();
    const sent = receiver.received.length;
    await undelivered.nth(0).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Replay 1 chosen' }).click();
    await page.getByText('Queued to be sent again: 1 event.').waitFor();
    await receiver.got(sent + 1);

    await stop();
    await page.getByText(/^Not live since/).waitFor();
    await startConsole({ ...stays, TRADEWIND_PORT: new URL(url).port });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.getByText('Queued to be sent again: 2 events.').waitFor();
    await receiver.got(sent + 3);
    await undelivered.first().waitFor({ state: 'detached' });
    // The feed goes on, too: only the feed can bring these rows.
    const accepted = page.getByRole('table', { name: 'Deliveries' }).getByText('accepted');
    await expect.poll(() => accepted.count()).toBe(3);
  });
});
