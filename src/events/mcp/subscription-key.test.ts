import { expect, test } from 'vitest';
import { canonicalJson, deriveMcpIds } from './subscription-key.ts';

test.each([
  ['{"b":1,"a":[true,null]}', '{"a":[true,null],"b":1}'],
  ['{"\u20ac":1,"\\r":2,"1":3}', '{"\\r":2,"1":3,"\u20ac":1}'],
  ['[1e2, 0.10, -0, 4.50]', '[100,0.1,0,4.5]'],
  ['{"x":{"d":"\\u0041","c":""}}', '{"x":{"c":"","d":"A"}}'],
])('writes %s in the one form of RFC 8785 [M15]', (text, canonical) => {
  expect(canonicalJson(JSON.parse(text))).toBe(canonical);
});

test('the id depends on each part of the key, and on a key of the server [M15, M16]', () => {
  const derive = deriveMcpIds(new Uint8Array(32).fill(1));
  const key = { principal: 'p', url: 'https://a.b/', name: 'n', arguments: { a: 1, b: 2 } };
  const id = derive(key);
  expect(id).toMatch(/^sub_[0-9a-f]{32}$/);
  expect(derive({ ...key, arguments: { b: 2, a: 1 } })).toBe(id);
  const others = [
    derive({ ...key, principal: 'q' }),
    derive({ ...key, url: 'https://a.b' }),
    derive({ ...key, url: undefined }),
    derive({ ...key, name: 'm' }),
    derive({ ...key, arguments: { a: 1 } }),
    derive({ ...key, arguments: { a: '1', b: 2 } }),
    deriveMcpIds(new Uint8Array(32).fill(2))(key),
  ];
  expect(new Set([id, ...others]).size).toBe(8);
});
