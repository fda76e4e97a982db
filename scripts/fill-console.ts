import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { createPkce } from '../src/authorization/protocol/pkce.ts';

/** A server with the data that a team would have after a day. */
export type FilledConsole = {
  /** Paths of detail pages, such as that of one subscription, by the name of their screenshots. */
  readonly paths: Readonly<Record<string, string>>;
  stop(): void;
};

const drive = '//drive.googleapis.com/files/';
const space = '//chat.googleapis.com/spaces/team';

/**
 * Fills the server behind a console page on which the owner is signed in: an application, subscriptions of which one
 * delivers and one fails, events, people, a client and a resource. Almost everything goes through the page's own API
 * client, so it has the owner's rights.
 */
export async function fillConsole(page: Page, url: string): Promise<FilledConsole> {
  const assets = await page.locator('link[rel=icon]').getAttribute('href');
  const modulePath = String(assets).replace('icon.svg', 'browser/api.ts');
  const call = (path: string, body?: object, headers = {}): Promise<unknown> => {
    const options = { ...(body === undefined ? {} : { method: 'POST', body }), headers };
    return page.evaluate(
      `import('${modulePath}').then(({ callApi }) => callApi('${path}', ${JSON.stringify(options)}))`,
    );
  };
  const publish = (type: string, subject: string, data: object) =>
    call(
      '/v1/events',
      { specversion: '1.0', id: crypto.randomUUID(), source: '//crm', type, subject, data },
      { 'Content-Type': 'application/cloudevents+json' },
    );
  const subscribe = (targetResource: string, eventTypes: readonly string[], uri?: string) =>
    call('/v1/subscriptions', {
      targetResource,
      eventTypes,
      notificationEndpoint: uri === undefined ? { eventStream: {} } : { webhook: { uri } },
    });

  const receiver = await startReceiver();
  await call('/v1/applications', {
    name: 'crm',
    targets: [
      { pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won', 'crm.deal.v1.lost'] },
    ],
  });
  const driveType = 'google.workspace.drive.file.v3.';
  await subscribe(
    `${drive}budget-2027`,
    [`${driveType}created`, `${driveType}renamed`],
    `${receiver.url}/ok`,
  );
  await subscribe(
    '//crm/deals/481',
    ['crm.deal.v1.won', 'crm.deal.v1.lost'],
    `${receiver.url}/failing`,
  );
  await subscribe('//crm/deals/482', ['crm.deal.v1.won'], `${receiver.url}/gone`);
  await subscribe(space, ['google.workspace.chat.message.v1.created']);
  await publish(`${driveType}renamed`, `${drive}budget-2027`, {
    file: { name: 'files/budget-2027' },
  });
  await publish(`${driveType}created`, `${drive}budget-2027`, {
    file: { name: 'files/budget-2027' },
  });
  await publish('crm.deal.v1.won', '//crm/deals/481', {
    deal: '481',
    amount: 12_500,
    currency: 'EUR',
  });
  await publish('crm.deal.v1.won', '//crm/deals/482', {
    deal: '482',
    amount: 900,
    currency: 'EUR',
  });
  await call('/v1/people', { username: 'mia', role: 'admin' });
  await call('/v1/people', { username: 'jonas', role: 'member' });
  await call('/v1/resources', {
    resource: 'https://crm.example.com/mcp',
    name: 'CRM',
    scopes: [
      { name: 'crm.read', description: 'Read deals and contacts' },
      { name: 'crm.write', description: 'Change deals and contacts' },
    ],
  });
  await allowClient(page, url, `${receiver.url}/callback`);

  const { subscriptions } = (await call('/v1/monitor/subscriptions')) as Listed;
  const pathOf = (target: string) =>
    `/console/${subscriptions.find((one) => one.subscription.targetResource === target)?.subscription.name}`;
  return {
    paths: {
      'subscription-failing': pathOf('//crm/deals/481'),
      'subscription-suspended': pathOf('//crm/deals/482'),
      'subscription-active': pathOf(`${drive}budget-2027`),
      'subscription-stream': pathOf(space),
    },
    stop: receiver.stop,
  };
}

type Listed = {
  readonly subscriptions: readonly {
    readonly subscription: { readonly name: string; readonly targetResource: string };
  }[];
};

/** A webhook on this machine whose paths accept deliveries (`/ok`), fail (`/failing`) or are gone (`/gone`). */
async function startReceiver() {
  const answers: Readonly<Record<string, readonly [number, string]>> = {
    '/ok': [200, '{"queued": true}'],
    '/failing': [503, '{"error": "The queue of the CRM is full, try again later."}'],
    '/gone': [410, 'This hook was removed.'],
  };
  const server = createServer((request, response) => {
    const asking = request.headers['webhook-request-origin'];
    if (request.method === 'OPTIONS' && asking !== undefined) {
      response.writeHead(200, { 'webhook-allowed-origin': asking }).end();
      return;
    }
    const [status, body] = answers[String(request.url)] ?? [200, 'Back at the client'];
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has an address of this form
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Registers a client and gives consent as the owner, who is signed in to the same browser context. */
async function allowClient(page: Page, url: string, redirectUri: string): Promise<void> {
  const registered = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Weather agent',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      scope: 'swap.read subscriptions.read',
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const { codeVerifier, codeChallenge } = createPkce();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    scope: 'swap.read subscriptions.read',
    state: 'state',
  });
  const window = await page.context().newPage();
  await window.goto(`${url}/authorize?${query}`);
  await window.getByRole('button', { name: 'Allow' }).click();
  await window.waitForURL(`${redirectUri}*`);
  const code = String(new URL(window.url()).searchParams.get('code'));
  const grant = { grant_type: 'authorization_code', code, code_verifier: codeVerifier };
  const form = new URLSearchParams({ ...grant, client_id, redirect_uri: redirectUri });
  await fetch(`${url}/token`, { method: 'POST', body: form });
  await window.close();
}
