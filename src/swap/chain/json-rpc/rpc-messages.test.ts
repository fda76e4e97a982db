import { expect, it } from 'vitest';
import { readAnswers, readError, writeRequests } from './rpc-messages.ts';

const request = { method: 'm', params: [1] };

it('writes one request as an object and several as a batch', () => {
  expect(JSON.parse(writeRequests([request]))).toEqual({ jsonrpc: '2.0', id: 1, ...request });
  expect(JSON.parse(writeRequests([request, request]))).toMatchObject([{ id: 1 }, { id: 2 }]);
});

it('puts answers back into the order of the requests', () => {
  const body = [
    { id: 2, result: 'b' },
    { id: 1, result: 'a' },
  ];
  expect(readAnswers(body, 2)).toEqual([{ result: 'a' }, { result: 'b' }]);
});

it('takes a null error for none, and a null result for an answer', () => {
  expect(readAnswers({ id: 1, error: null, result: null }, 1)).toEqual([{ result: null }]);
});

it.each([
  ['nothing', undefined],
  ['text', 'busy'],
  ['an object for a batch', { id: 1, result: 1 }],
  ['too few answers', [{ id: 1, result: 1 }]],
  [
    'one answer twice',
    [
      { id: 1, result: 1 },
      { id: 1, result: 1 },
    ],
  ],
  [
    'an unknown id',
    [
      { id: 1, result: 1 },
      { id: 3, result: 1 },
    ],
  ],
  ['an answer that is none', [{ id: 1, result: 1 }, { id: 2 }]],
  ['an answer that is null', [{ id: 1, result: 1 }, null]],
])('refuses %s as the answer to two requests', (_, body) => {
  expect(readAnswers(body, 2)).toBeUndefined();
});

it('finds the error that answers a whole batch', () => {
  expect(readError({ id: null, error: { code: -32600, message: 'no batches' } })).toMatchObject({
    code: -32600,
  });
  expect(readError([{ id: 1, result: 1 }])).toBeUndefined();
  expect(readError({ id: 1, error: 'text' })).toBeUndefined();
});
