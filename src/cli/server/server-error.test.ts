import { expect, it } from 'vitest';
import { ClientError } from '../../authorization/client/index.ts';
import { createEventsClient } from './events-client.ts';

const ask = (reason: unknown) =>
  createEventsClient('https://tradewind.example', () => Promise.reject(reason))
    .request('GET', '/v1/people', {})
    .catch((error: unknown) => error);

it('reports that no server answers, and passes on a refused sign-in [T8]', async () => {
  const denied = new ClientError('ACCESS_DENIED', 'The person said no.');
  expect(await ask(denied)).toBe(denied);
  const nobody = {
    code: 'SERVER_UNREACHABLE',
    message:
      'No server answers at https://tradewind.example: start one with tradewind serve, or name another one with --server or TRADEWIND_PUBLIC_URL.',
  };
  expect(await ask(new TypeError('fetch failed'))).toMatchObject(nobody);
  expect(await ask(new ClientError('UNREACHABLE', 'Gone.'))).toMatchObject(nobody);
});

it('names the certificate when TLS verification fails', async () => {
  const cause = Object.assign(new Error('self-signed certificate'), {
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  expect(await ask(new TypeError('fetch failed', { cause }))).toMatchObject({
    code: 'CERTIFICATE_REFUSED',
    message:
      'The certificate of https://tradewind.example is not accepted (self-signed certificate), and nothing was sent: use a host name that it covers, or trust its CA with NODE_EXTRA_CA_CERTS.',
  });
});
