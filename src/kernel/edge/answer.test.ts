import { expect, it } from 'vitest';
import { packAnswer, takesGzip } from './answer.ts';

const asking = (accepted: string) =>
  new Request('http://localhost', { headers: { 'Accept-Encoding': accepted } });

it.each([
  ['gzip', true],
  ['br, GZip;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, br', false],
  ['x-gzip-not', false],
  ['', false],
])('finds in "%s" whether the caller takes gzip', (accepted, isTaken) => {
  expect(takesGzip(asking(accepted))).toBe(isTaken);
  const packed = packAnswer(asking(accepted), new Response('text'));
  expect(packed.headers.get('content-encoding')).toBe(isTaken ? 'gzip' : null);
});
