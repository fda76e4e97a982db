import { expect, test } from 'vitest';
import { isInNetworks, isLoopbackHost, parseIpAddress, parseNetworks } from './network.ts';

const contains = (networks: string[], address: string) =>
  isInNetworks(parseIpAddress(address)!, parseNetworks(networks));

test('a block contains its own addresses and no others', () => {
  expect(contains(['10.0.0.0/8'], '10.255.0.1')).toBe(true);
  expect(contains(['10.0.0.0/8'], '11.0.0.1')).toBe(false);
  expect(contains(['fd00::/8'], 'fd12::1')).toBe(true);
  expect(contains(['fd00::/8'], '10.0.0.1')).toBe(false);
});

test('a single address is a block of one', () => {
  expect(contains(['192.0.2.7'], '192.0.2.7')).toBe(true);
  expect(contains(['192.0.2.7'], '192.0.2.8')).toBe(false);
});

test('an IPv4 block contains the mapped spelling of its addresses', () => {
  expect(contains(['10.0.0.0/8'], '::ffff:10.0.0.1')).toBe(true);
});

test('the word loopback stands for both families', () => {
  expect(contains(['loopback'], '127.9.9.9')).toBe(true);
  expect(contains(['loopback'], '::1')).toBe(true);
  expect(contains(['loopback'], '128.0.0.1')).toBe(false);
});

test.each(['', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '010.0.0.1'])(
  'refuses "%s" as a network and says what one looks like',
  (entry) => {
    expect(() => parseNetworks([entry])).toThrow(`"${entry}" is not a network`);
  },
);

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '::1', '[::1]', '::ffff:127.0.0.1'])(
  '%s names this machine',
  (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  },
);

test.each([
  'localhost.example',
  'localhost.',
  '0x7f.0.0.1',
  '127.1',
  '2130706433',
  '0.0.0.0',
  '::',
])('%s does not name this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
