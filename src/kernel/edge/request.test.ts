import { expect, test } from 'vitest';
import { createAddressReader } from './request.ts';

const read = createAddressReader();
const readOne = (target: string, host: string | undefined = 'localhost:8787') =>
  read({ encrypted: false, target, host });

test.each([
  ['/jwks', '/jwks', ''],
  ['/v1/swap/1?a=%zz&b', '/v1/swap/1', 'a=%zz&b'],
  ['/a/../b?x#y', '/b', 'x'],
  ['//evil.example/x', '//evil.example/x', ''],
  ['/é', '/%C3%A9', ''],
])('the target %s has the path %s and the query "%s" [F24]', (target, pathname, query) => {
  expect(readOne(target)).toMatchObject({
    origin: 'http://localhost:8787',
    pathname,
    query,
    hosts: ['localhost'],
  });
});

test.each([
  ['/', 'localhost:65536'],
  ['/', 'localhost:'],
  ['/', 'a b'],
  ['/', ''],
  ['/', '[::1'],
  ['/', 'user@localhost'],
  ['/', 'a/b'],
  ['/', '1.2.3.256'],
  ['/', 'é.example'],
  ['*', 'localhost'],
  ['', 'localhost'],
  ['?x', 'localhost'],
  ['a.example:443', 'localhost'],
  ['/a\\b', 'localhost'],
  ['http://[', 'localhost'],
  ['http://a b/', 'localhost'],
  ['http://localhost/', 'a b'],
])('the target "%s" at the host "%s" is no address [F24]', (target, host) => {
  expect(readOne(target, host)).toBeUndefined();
});

test('a whole address names a host beside that of the header, and one with credentials names none [F24]', () => {
  expect(readOne('HTTP://Evil.example/x?y')).toMatchObject({
    origin: 'http://evil.example',
    hosts: ['evil.example', 'localhost'],
    href: 'http://evil.example/x?y',
  });
  expect(readOne('http://user:pass@localhost:8787/x')).toMatchObject({
    hosts: ['', 'localhost'],
    href: 'http://localhost:8787/x',
  });
});

test('a host keeps the spelling by which it is judged [F24]', () => {
  expect(readOne('/', '0x7F.1')).toMatchObject({ hosts: ['0x7f.1'], hostname: '127.0.0.1' });
  expect(readOne('/', '[::1]:80')).toMatchObject({ hosts: ['[::1]'], origin: 'http://[::1]' });
});
