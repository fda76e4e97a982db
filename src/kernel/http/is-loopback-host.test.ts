import { expect, it } from 'vitest';
import { isLoopbackHost } from './is-loopback-host.ts';

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1'])(
  'takes %s for this machine',
  (host) => expect(isLoopbackHost(host)).toBe(true),
);

it.each(['0.0.0.0', '::', '10.0.0.1', 'localhost.evil.example', 'example.com', ''])(
  'takes %s for somewhere else',
  (host) => expect(isLoopbackHost(host)).toBe(false),
);
