import { describe, expect, it } from 'vitest';
import { answerJsonRpc } from './answer-json-rpc.ts';

const echoCall = async (request: { method: string; params: unknown }) =>
  JSON.stringify({ result: request });

async function answered(message: unknown): Promise<unknown> {
  return JSON.parse(await answerJsonRpc(JSON.stringify(message), echoCall));
}

describe('answerJsonRpc', () => {
  it('answers a request under its own id', async () => {
    expect(await answered({ jsonrpc: '2.0', id: 'a', method: 'm', params: [1] })).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: { method: 'm', params: [1] },
    });
  });

  it('reads missing params as an empty list', async () => {
    expect(await answered({ jsonrpc: '2.0', id: 1, method: 'm' })).toMatchObject({
      result: { params: [] },
    });
  });

  it('answers a batch in its own order', async () => {
    const order: string[] = [];
    const answer = async ({ method }: { method: string }) => {
      order.push(`${method} begins`);
      await Promise.resolve();
      order.push(`${method} ends`);
      return '{"result":0}';
    };
    const batch = [
      { jsonrpc: '2.0', id: 7, method: 'first' },
      { jsonrpc: '2.0', id: 8, method: 'second' },
    ];
    expect(JSON.parse(await answerJsonRpc(JSON.stringify(batch), answer))).toEqual([
      { jsonrpc: '2.0', id: 7, result: 0 },
      { jsonrpc: '2.0', id: 8, result: 0 },
    ]);
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('runs a notification without a response', async () => {
    const notification = { jsonrpc: '2.0', method: 'm' };
    expect(await answerJsonRpc(JSON.stringify(notification), echoCall)).toBe('');
    expect(await answerJsonRpc(JSON.stringify([notification]), echoCall)).toBe('');
    expect(await answered([notification, { jsonrpc: '2.0', id: 1, method: 'n' }])).toHaveLength(1);
  });

  it('refuses text that is not JSON with -32700', async () => {
    expect(JSON.parse(await answerJsonRpc('{', echoCall))).toMatchObject({
      id: null,
      error: { code: -32700 },
    });
  });

  it.each([[[]], [1], [null], [{ id: 1 }], [{ id: 1, method: 2 }]])(
    'refuses %j, which is no request, with -32600',
    async (message) => {
      expect(await answered(message)).toMatchObject({ id: null, error: { code: -32600 } });
    },
  );

  it('refuses a batch of more than a hundred requests and runs none of them', async () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'm' };
    expect(await answered(Array(100).fill(request))).toHaveLength(100);
    const answer = async () => expect.unreachable();
    const batch = JSON.stringify(Array(101).fill(request));
    expect(JSON.parse(await answerJsonRpc(batch, answer))).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('101') },
    });
  });

  it('refuses one bad request of a batch and answers the others', async () => {
    expect(await answered([1, { jsonrpc: '2.0', id: 1, method: 'm' }])).toMatchObject([
      { error: { code: -32600 } },
      { id: 1, result: { method: 'm' } },
    ]);
  });
});
