import { describe, expect, test } from 'vitest';
import { publicDeployments } from '../deployments/public-deployments.ts';
import { isOpenUrl, parseChainList } from './chain-list.ts';

describe('the public chain list [Q9]', () => {
  test('gives the open endpoints of each chain once, and ignores everything else', () => {
    const rpc = [
      'https://a.example.org',
      'https://a.example.org/',
      'https://b.example.org/rpc',
      'wss://a.example.org',
      `https://c.example.org/\${API_KEY}`,
    ];
    const list = parseChainList([
      { name: 'Ten', chainId: 10, rpc },
      { chainId: 11, rpc: [] },
    ]);
    expect(list.get(10)).toEqual(['https://a.example.org', 'https://b.example.org/rpc']);
    expect(list.get(11)).toEqual([]);
  });

  test('takes no more of a chain than are worth measuring', () => {
    const rpc = Array.from({ length: 100 }, (_, n) => `https://node-${n}.example.org`);
    expect(parseChainList([{ chainId: 1, rpc }]).get(1)).toHaveLength(40);
  });

  test.each([[null], [{}], [[{ chainId: '1', rpc: [] }]], [[{ chainId: 1 }]]])(
    'refuses what is no such list: %j',
    (json) => {
      expect(() => parseChainList(json)).toThrow();
    },
  );
});

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
