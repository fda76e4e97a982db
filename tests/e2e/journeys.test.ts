import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { observed, openJourneys } from '../support/count-journey.ts';
import { serve } from '../support/run-tradewind.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** In how many files a journey runs at most. These numbers only fall: a step more is a file more to know. */
const most = { token: 32, quote: 84, delivery: 79 };

const type = 'google.workspace.drive.file.v3.renamed';
const subject = '//drive.googleapis.com/files/abc';
const sender = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const ether = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const dollar = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

/** What a server does for a client that knows it well. */
async function openClient(url: string) {
  const registered = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'swap.read subscriptions.read subscriptions.write events.publish',
    }),
  });
  const { client_id, client_secret } = (await registered.json()) as Record<string, string>;
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const token = async (): Promise<string> => {
    const answer = await fetch(`${url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(answer.status).toBe(200);
    const { access_token } = (await answer.json()) as { access_token: string };
    return access_token;
  };
  const authorization = `Bearer ${await token()}`;
  const post = async (path: string, body: object, type = 'application/json') => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': type },
      body: JSON.stringify(body),
    });
    expect(answer.ok, await answer.clone().text()).toBe(true);
  };
  let amount = 10n ** 18n;
  return {
    token,
    async quote() {
      amount += 10n ** 15n;
      const query = `tokenIn=${ether}&tokenOut=${dollar}&amount=${amount}&sender=${sender}`;
      const answer = await fetch(`${url}/v1/swap/31337?${query}`);
      expect(answer.status).toBe(200);
      await answer.text();
    },
    subscribe: (uri: string) =>
      post('/v1/subscriptions', {
        targetResource: subject,
        eventTypes: [type],
        notificationEndpoint: { webhook: { uri } },
      }),
    publish: () =>
      post(
        '/v1/events',
        {
          specversion: '1.0',
          id: crypto.randomUUID(),
          source: '//journeys',
          type,
          subject,
          data: { file: { name: 'files/abc' } },
        },
        'application/cloudevents+json',
      ),
  };
}

test('a token, a quote and an event take no more files from the socket to the answer than before [Y10]', async () => {
  const server = await serve({ environment: { ...observed, TRADEWIND_DEVCHAIN: 'auto' } });
  const client = await openClient(server.url);
  const receiver = await startWebhookReceiver();
  await client.subscribe(receiver.url);
  let published = 0;
  const deliver = async () => {
    await client.publish();
    published += 1;
    await receiver.got(published);
  };
  const journeys = { token: client.token, quote: client.quote, delivery: deliver };
  const goAll = async () => {
    for (const go of Object.values(journeys)) await go();
  };
  // What is made once is no part of a journey.
  for (let trip = 0; trip < 5; trip++) await goAll();

  const { rest, count } = await openJourneys(server);
  await rest(() => setTimeout(5_000));
  for (const [name, go] of Object.entries(journeys)) {
    const journey = await count(async () => {
      for (let trip = 0; trip < 5; trip++) await go();
      // The log is written a moment after the answer.
      await setTimeout(100);
    });
    const files = [...journey].map(([file, functions]) => `${functions} in ${file}`).toSorted();
    console.log(`${name}: ${files.length} files`);
    expect(files.length, files.join('\n')).toBeGreaterThan(10);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(most[name as keyof typeof most]);
  }
});
