import { describe, expect, test } from 'vitest';
import { checkWebhook } from '../../src/events/delivery/endpoints/check-webhook.ts';
import { createCheckEndpoint } from '../../src/events/delivery/endpoints/endpoint.ts';
import { createWebhookKind } from '../../src/events/delivery/endpoints/webhook-endpoint.ts';
import type { SuspensionReason } from '../../src/events/model/subscription.ts';
import { parseNetworks } from '../../src/kernel/model/network.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createOutboundHttp, type OutboundHttp } from '../../src/kernel/outbound/outbound-http.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { type Answer, type Received, startWebhookReceiver } from '../support/webhook-receiver.ts';

const requestOrigin = 'events.test';
const base = { random: systemRandom, requestOrigin, trustedOrigins: [], clock: systemClock };

/** A client that resolves a public name to the receiver on this machine. */
async function openAsked(respond: (request: Received) => Answer) {
  const receiver = await startWebhookReceiver(respond, { agrees: false });
  const allowNetworks = parseNetworks(['loopback']);
  const resolve = async () => ['127.0.0.1'];
  const http = createOutboundHttp({ allowNetworks, clock: systemClock, resolve });
  const uri = receiver.url.replace('127.0.0.1', 'hooks.example');
  return { receiver, check: () => checkWebhook({ uri }, { ...base, http, allowNetworks }) };
}

describe('the agreement of a webhook', () => {
  test.each(['*', requestOrigin])('is the handshake answered with %s [E14.24]', async (allowed) => {
    const { receiver, check } = await openAsked(() => ({
      status: 200,
      headers: { 'webhook-allowed-origin': allowed },
    }));
    expect(await check()).toBeUndefined();
    expect(receiver.received[0]).toMatchObject({
      method: 'OPTIONS',
      headers: { 'webhook-request-origin': requestOrigin },
    });
  });

  test.each([
    ['as text', (challenge: string) => challenge],
    ['in JSON', (challenge: string) => JSON.stringify({ challenge })],
  ])('is the echo of the challenge %s [E14.24]', async (_, write) => {
    const { check } = await openAsked(({ method, body }) =>
      method === 'POST'
        ? { status: 200, body: write(JSON.parse(body).challenge) }
        : { status: 405 },
    );
    expect(await check()).toBeUndefined();
  });

  test.each<[string, (request: Received) => Answer]>([
    ['another origin', () => ({ status: 200, headers: { 'webhook-allowed-origin': 'other' } })],
    ['a refusal', () => ({ status: 403, headers: { 'webhook-allowed-origin': '*' } })],
    ['another echo', () => ({ status: 200, body: 'challenge' })],
    ['a redirect', () => ({ status: 302, headers: { location: 'http://elsewhere.example/' } })],
  ])('is not %s [E14.24]', async (_, respond) => {
    const { check } = await openAsked(respond);
    expect(await check()).toMatchObject({
      status: 'PERMISSION_DENIED',
      suspensionReason: 'ENDPOINT_PERMISSION_DENIED',
    });
  });
});

const unused: OutboundHttp = {
  request: async () => {
    throw new Error('Nobody was to be called.');
  },
  close: async () => {},
};
const checkWith = (allow: string[], http: OutboundHttp = unused) => {
  const allowNetworks = parseNetworks(allow);
  const webhook = createWebhookKind({ ...base, http, retryHttp: unused, allowNetworks });
  return createCheckEndpoint({ webhook });
};
async function openLoopback(answer: Answer) {
  const { url } = await startWebhookReceiver(() => answer, { agrees: false });
  const http = createOutboundHttp({
    allowNetworks: parseNetworks(['loopback']),
    clock: systemClock,
  });
  return { uri: url, check: checkWith(['loopback'], http) };
}
const webhook = (uri: string) => ({ kind: 'webhook', uri, contentMode: 'BINARY' }) as const;

test.each(['http://127.0.0.1:1/hook', 'http://localhost/hook', 'http://[::1]:9/'])(
  '%s is not asked to agree at create where it may be called [E14.25]',
  async (uri) => {
    expect(await checkWith(['loopback'])(webhook(uri))).toBeUndefined();
  },
);

test.each<[number, SuspensionReason]>([
  [410, 'ENDPOINT_NOT_FOUND'],
  [404, 'ENDPOINT_NOT_FOUND'],
  [429, 'ENDPOINT_RESOURCE_EXHAUSTED'],
  [500, 'OTHER'],
])('loopback that still answers %i is not reactivated [E3.34]', async (status, suspendedFor) => {
  const { check, uri } = await openLoopback({ status });
  expect(await check(webhook(uri), { suspendedFor })).toMatchObject({
    status: 'FAILED_PRECONDITION',
    suspensionReason: suspendedFor,
  });
  expect(await check(webhook(uri), { suspendedFor: 'USER_SCOPE_REVOKED' })).toBeUndefined();
});

test('loopback that nobody listens at is not reactivated [E3.34]', async () => {
  const { check } = await openLoopback({ status: 204 });
  const dead = webhook('http://127.0.0.1:1/hook');
  expect(await check(dead, { suspendedFor: 'OTHER' })).toMatchObject({ suspensionReason: 'OTHER' });
});

test.each<[number, SuspensionReason]>([
  [204, 'OTHER'],
  [405, 'OTHER'],
  [501, 'OTHER'],
  [401, 'ENDPOINT_PERMISSION_DENIED'],
  [404, 'OTHER'],
])('loopback that answers OPTIONS with %i may be reactivated [E3.33]', async (status, reason) => {
  const { check, uri } = await openLoopback({ status });
  expect(await check(webhook(uri), { suspendedFor: reason })).toBeUndefined();
});

test.each([
  'http://127.0.0.1/',
  'http://localhost/',
  'http://10.0.0.1/',
  'http://169.254.169.254/',
])('%s is refused where it may not be called [E14.26]', async (uri) => {
  const http = createOutboundHttp({ allowNetworks: [], clock: systemClock });
  const problem = await checkWith([], http)(webhook(uri));
  expect(problem).toMatchObject({ status: 'PERMISSION_DENIED', reason: 'WEBHOOK_ADDRESS_REFUSED' });
});

test('a name without addresses is an endpoint that is not there [E8.6]', async () => {
  const resolve = async () => [];
  const http = createOutboundHttp({ allowNetworks: [], clock: systemClock, resolve });
  expect(await checkWith([], http)(webhook('https://nobody.example/'))).toMatchObject({
    status: 'NOT_FOUND',
    suspensionReason: 'ENDPOINT_NOT_FOUND',
  });
});

const outgoingEvent = {
  number: 1,
  id: 'e1',
  source: '//events.test/subscriptions/s',
  type: 'com.example.happened',
  subject: 'things/1',
  time: '2026-01-01T00:00:00Z',
  data: '{}',
};

test('a name inside and a name that nobody has get the same answer, in the check and in the log of deliveries [F59]', async () => {
  const open = (addresses: string[]) => {
    const http = createOutboundHttp({
      allowNetworks: [],
      clock: systemClock,
      resolve: async () => addresses,
    });
    return createWebhookKind({ ...base, http, retryHttp: http, allowNetworks: [] });
  };
  const uri = 'https://intranet.example/hook';
  const tried = async (addresses: string[]) => {
    const kind = open(addresses);
    const agreement = { isGiven: true, keep: async () => {} };
    const endpoint = kind.open(webhook(uri), { secrets: [], agreement });
    const batch = { id: '1', events: [outgoingEvent], at: 0, isRetry: false, trace: undefined };
    return {
      problem: await kind.check(webhook(uri)),
      outcome: await endpoint.send(batch, new AbortController().signal),
    };
  };
  const nobody = await tried([]);
  expect(nobody.outcome).toMatchObject({ reason: 'ENDPOINT_NOT_FOUND' });
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'fd00::1']) {
    expect(await tried([address])).toEqual(nobody);
  }
});

test('a trusted origin is looked up when it is called, and not at create [N3]', async () => {
  const uri = 'https://hooks.example/hook';
  const trust = { ...base, trustedOrigins: ['https://hooks.example'], allowNetworks: [] };
  expect(await checkWebhook({ uri }, { ...trust, http: unused })).toBeUndefined();
});

test.each(['ftp://hooks.example/', 'hooks', 'https://user:secret@hooks.example/'])(
  'refuses %s as an address, and does not repeat it [E14.26]',
  async (uri) => {
    const problem = await checkWith([])(webhook(uri));
    expect(problem).toMatchObject({ status: 'INVALID_ARGUMENT' });
    expect(problem?.message).not.toContain('secret');
  },
);

test('refuses a malformed signing secret [E10.24, E14.17]', async () => {
  const problem = await checkWith(['loopback'])(webhook('http://localhost/'), {
    signingSecret: 'hunter2',
  });
  expect(problem).toMatchObject({ status: 'INVALID_ARGUMENT', field: 'webhook.signingSecret' });
  expect(problem?.message).not.toContain('hunter2');
});

test('a NATS subject needs a NATS server [E14.19]', async () => {
  expect(await checkWith([])({ kind: 'natsSubject', subject: 'a.b' })).toMatchObject({
    status: 'FAILED_PRECONDITION',
  });
});
