import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';
import { createFactsWriter } from './write-facts.ts';

describe('createFactsWriter', () => {
  const writeFacts = createFactsWriter();
  const facts: [string, object][] = [
    ['plain facts', { method: 'GET', path: '/a', status: 200, isNew: true, nothing: null }],
    ['what JSON leaves out', { traceId: undefined, call: () => {}, after: 1 }],
    [
      'numbers that JSON does not know',
      { rate: Number.NaN, most: Number.POSITIVE_INFINITY, big: 7n },
    ],
    ['quotes, backslashes and other alphabets', { 'a"b': 'c"d\\e', name: 'Zoë' }],
    ['secrets by their name', { token: 'abc', password: ['x'], secretKey: { a: 1 }, dpop: 'y' }],
    [
      'secrets inside texts',
      { err: new Error('at postgres://u:p@h/d?k=v'), text: 'Bearer abcdefgh' },
    ],
    ['secrets inside objects', { request: { authorization: 'x', list: [{ cookie: 'y' }] } }],
    ['nothing', {}],
  ];
  it.each(facts)('writes %s as a redacted copy would be written [H8]', (_, told) => {
    const expected = JSON.parse(JSON.stringify(redact(told)));
    expect(JSON.parse(`{${writeFacts(told)}}`)).toEqual(expected);
  });

  it('writes controls of others as escapes, in names too [N6]', () => {
    const written = writeFacts({ path: '/\u202e\u009b2J', '\u2066': 1, deep: ['\u2028\u007f'] });
    expect(written).not.toMatch(/[^\x20-\x7e]/);
    expect(JSON.parse(`{${written}}`)).toMatchObject({ path: '/\u202e\u009b2J', '\u2066': 1 });
  });
});
