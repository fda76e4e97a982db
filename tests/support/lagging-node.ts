import { hexToNumber, isHex, numberToHex } from 'viem';

export type RpcNode = { handle(jsonRpc: string): Promise<string> };

type Call = { id?: unknown; method: string; params?: unknown[] };

/** Which parameter of a method names the block to read. */
const blockParameter: Record<string, number> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};

/**
 * The node as it was `lag` blocks ago, as far as a reader by block number can see: it reports an older block as the
 * newest one, and does not know the blocks after that. Receipts, logs and reads by block hash do not lag.
 */
export function createLaggingNode(node: RpcNode, lag: number): RpcNode {
  async function ask(call: Call): Promise<{ result?: unknown }> {
    return JSON.parse(await node.handle(JSON.stringify(call)));
  }

  async function answer(call: Call): Promise<unknown> {
    const newest = await ask({ id: 0, method: 'eth_blockNumber' });
    const head = Math.max(0, Number(newest.result) - lag);
    const reply = { jsonrpc: '2.0', id: call.id };
    if (call.method === 'eth_blockNumber') return { ...reply, result: numberToHex(head) };

    const position = blockParameter[call.method];
    if (position === undefined) return ask(call);
    const params = [...(call.params ?? [])];
    const block = params[position] ?? 'latest';
    if (isHex(block) && hexToNumber(block) > head) {
      return call.method === 'eth_getBlockByNumber'
        ? { ...reply, result: null }
        : { ...reply, error: { code: -32000, message: 'header not found' } };
    }
    params[position] = isHex(block) || block === 'earliest' ? block : numberToHex(head);
    return ask({ ...call, params });
  }

  return {
    async handle(jsonRpc) {
      const message: Call | Call[] = JSON.parse(jsonRpc);
      if (!Array.isArray(message)) return JSON.stringify(await answer(message));
      return JSON.stringify(await Promise.all(message.map(answer)));
    },
  };
}
