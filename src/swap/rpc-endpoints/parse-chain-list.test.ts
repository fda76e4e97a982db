import { describe, expect, test } from 'vitest';
import { parseChainList } from './parse-chain-list.ts';

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
