import { expect, test } from 'vitest';
import { parseNatsUrl } from './nats.ts';

test('finds the host, the credentials and whether to use TLS', () => {
  expect(parseNatsUrl('nats://localhost:4222')).toEqual({ servers: 'localhost:4222' });
  expect(parseNatsUrl('nats://[::1]:4222')).toEqual({ servers: '[::1]:4222' });
  expect(parseNatsUrl('nats://me:p%40ss@nats')).toEqual({
    servers: 'nats',
    user: 'me',
    pass: 'p@ss',
  });
  expect(parseNatsUrl('tls://t0ken@nats.example:4443')).toEqual({
    servers: 'nats.example:4443',
    token: 't0ken',
    tls: {},
  });
});
