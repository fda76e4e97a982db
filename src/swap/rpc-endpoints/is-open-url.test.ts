import { describe, expect, test } from 'vitest';
import { publicDeployments } from '../deployments/public-deployments.ts';
import { isOpenUrl } from './is-open-url.ts';

describe('an endpoint that may be named to anyone [Q9]', () => {
  test('is every one of the registry', () => {
    const closed = publicDeployments.flatMap(({ rpcUrls }) => rpcUrls.filter((u) => !isOpenUrl(u)));
    expect(closed).toEqual([]);
  });

  test.each([
    'https://rpc.example.org',
    'https://api.example.org/ext/bc/C/rpc',
    'https://mainnet.skalenodes.com/v1/honorable-steel-rasalhague',
    'https://eth.example.org:8443/v1/mainnet',
  ])('may be %s', (url) => {
    expect(isOpenUrl(url)).toBe(true);
  });

  test.each([
    ['plain HTTP', 'http://rpc.example.org'],
    ['a socket', 'wss://rpc.example.org'],
    ['a user', 'https://me@rpc.example.org'],
    ['a password', 'https://:secret@rpc.example.org'],
    ['a query', 'https://rpc.example.org/?apikey=1'],
    ['a template', `https://mainnet.infura.io/v3/\${INFURA_API_KEY}`],
    ['a placeholder', 'https://rpc.example.org/<key>'],
    ['a hexadecimal key', 'https://mainnet.infura.io/v3/9aa3d95b3bc440fa88ea12eaa4456161'],
    ['a mixed key', 'https://eth-mainnet.g.alchemy.com/v2/dEmo_A1b2C3d4E5f6G7h8'],
    ['a UUID', 'https://rpc.example.org/123e4567-e89b-12d3-a456-426614174000/'],
    ['a key of letters alone', 'https://rpc.example.org/qwertyuiopasdfghjklzxcvb'],
    ['a key before the host', 'https://9aa3d95b3bc440fa88ea12eaa4456161.eth.example.org'],
    ['an address', 'https://10.0.0.1/rpc'],
    ['an address of the other kind', 'https://[::1]/rpc'],
    ['this machine', 'https://localhost/rpc'],
    ['a name of the inside', 'https://node.internal/rpc'],
    ['nonsense', 'not a url'],
  ])('has no %s', (_, url) => {
    expect(isOpenUrl(url)).toBe(false);
  });
});
