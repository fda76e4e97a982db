import { expect, it } from 'vitest';
import { parsePostTarget } from './post-json.ts';

it('turns a user name and password into a header and takes them from the URL', () => {
  const { url, headers } = parsePostTarget('https://us%20er:pa%3Ass@node.example/key?also=key');
  expect(url.href).toBe('https://node.example/key?also=key');
  expect(headers.authorization).toBe(`Basic ${btoa('us er:pa:ss')}`);
});

it('sends no such header where the URL has neither', () => {
  expect(parsePostTarget('https://node.example').headers).not.toHaveProperty('authorization');
});
