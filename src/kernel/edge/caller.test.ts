import { expect, test } from 'vitest';
import { parseNetworks } from '../model/network.ts';
import { callerOf, type ForwardingHeader, peerOf } from './caller.ts';
import type { Connection } from './request.ts';

const proxy = '10.0.0.1';
const trustedProxies = parseNetworks(['10.0.0.0/8', 'fd00::/8']);

const callerAt = (
  connection: Connection,
  headers: Record<string, string> = {},
  forwardingHeader: ForwardingHeader = 'x-forwarded-for',
) =>
  callerOf({
    peer: peerOf(connection, trustedProxies),
    request: { header: (name) => new Headers(headers).get(name) ?? undefined },
    trustedProxies,
    forwardingHeader,
  });

const keyOf = (
  remoteAddress: string,
  headers: Record<string, string> = {},
  forwardingHeader?: ForwardingHeader,
) => callerAt({ remoteAddress, encrypted: false }, headers, forwardingHeader).key;

test('a caller is the peer of the connection', () => {
  expect(keyOf('203.0.113.9')).toBe('203.0.113.9');
});

test('a peer on a dual-stack socket is its IPv4 address [H38]', () => {
  expect(keyOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(keyOf(`::ffff:${proxy}`, { 'X-Forwarded-For': '203.0.113.9' })).toBe('203.0.113.9');
});

test('a caller who is no declared proxy cannot name another address [H39]', () => {
  expect(keyOf('203.0.113.9', { 'X-Forwarded-For': '198.51.100.1' })).toBe('203.0.113.9');
  expect(keyOf('203.0.113.9', { Forwarded: 'for=198.51.100.1' })).toBe('203.0.113.9');
});

test('behind a declared proxy the caller is the address it forwards', () => {
  expect(keyOf(proxy, { 'X-Forwarded-For': '203.0.113.9' })).toBe('203.0.113.9');
  expect(keyOf(proxy, { Forwarded: 'for=203.0.113.9;proto=https' }, 'forwarded')).toBe(
    '203.0.113.9',
  );
  expect(keyOf(proxy, { Forwarded: 'proto=https; For="[2001:db8::7]:443"' }, 'forwarded')).toBe(
    '2001:db8::/64',
  );
});

test('addresses left of the forwarded one, which the caller may have written, are ignored', () => {
  expect(keyOf(proxy, { 'X-Forwarded-For': '198.51.100.1, 203.0.113.9' })).toBe('203.0.113.9');
  expect(keyOf(proxy, { Forwarded: 'for=198.51.100.1, for=203.0.113.9' }, 'forwarded')).toBe(
    '203.0.113.9',
  );
});

test('a chain of declared proxies is walked to the first address that is none', () => {
  const chain = '198.51.100.1, 203.0.113.9, fd00::1, 10.9.9.9';
  expect(keyOf(proxy, { 'X-Forwarded-For': chain })).toBe('203.0.113.9');
});

test('a caller inside the declared networks is itself', () => {
  expect(keyOf(proxy, { 'X-Forwarded-For': '10.1.1.1' })).toBe('10.1.1.1');
});

test('one header counts, that of the proxy, whatever the caller wrote into the other [F30]', () => {
  const headers = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=198.51.100.1' };
  expect(keyOf(proxy, headers)).toBe('203.0.113.9');
  expect(keyOf(proxy, headers, 'forwarded')).toBe('198.51.100.1');
  expect(keyOf(proxy, { Forwarded: 'for=198.51.100.1' })).toBe(proxy);
  expect(keyOf(proxy, { 'X-Forwarded-For': '203.0.113.9' }, 'forwarded')).toBe(proxy);
});

test.each(['unknown', '_hidden', '0xcb.0.113.9', '203.113.9', '203.0.113.009', '', 'evil.example'])(
  'a forwarded "%s" counts as the proxy that sent it',
  (node) => {
    expect(keyOf(proxy, { 'X-Forwarded-For': `198.51.100.1, ${node}` })).toBe(proxy);
  },
);

test.each([
  '::ffff:203.0.113.9',
  '::ffff:cb00:7109',
  '0:0:0:0:0:FFFF:CB00:7109',
  '203.0.113.9:4711',
  '[::ffff:203.0.113.9]:4711',
])('%s is one spelling of 203.0.113.9 and shares its key [H38]', (spelling) => {
  expect(keyOf(proxy, { 'X-Forwarded-For': spelling })).toBe('203.0.113.9');
});

test.each([
  '2001:db8:1:2::1',
  '2001:DB8:1:2:ffff:ffff:ffff:ffff',
  '2001:0db8:0001:0002:0:0:0:9',
  '[2001:db8:1:2::3]:443',
  '2001:db8:1:2::4%eth0',
])('%s shares the key of its /64 [H38]', (address) => {
  expect(keyOf(proxy, { 'X-Forwarded-For': address })).toBe('2001:db8:1:2::/64');
});

test('the next /64 is another caller', () => {
  expect(keyOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
});

test('the log keeps the whole IPv6 address', () => {
  const caller = callerAt({ remoteAddress: '2001:db8:1:2::1', encrypted: true });
  expect(caller.address).toBe('2001:db8:1:2::1');
});

test('callers whose peer is gone already share a key', () => {
  expect(callerAt({ encrypted: false }, { 'X-Forwarded-For': '203.0.113.9' }).key).toBe('unknown');
});
