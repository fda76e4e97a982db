import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { numberToHex } from 'viem';
import { createEvm, type Evm, failedOutcome } from '../../src/devchain/evm/create-evm.ts';
import type { RpcRequest } from '../../src/devchain/json-rpc/admit-request.ts';

/**
 * Opens an empty chain in a process of anvil, for proofs of many thousands of swaps or programs. Anvil records no
 * execution steps: a loop of plain instructions takes a twentieth of the time that the chain in this process needs.
 * `program` is the path of anvil (`npm install @foundry-rs/anvil`, for instance). Anvil has the same test accounts.
 */
export async function openAnvil(program: string, { chainId }: { chainId: number }): Promise<Evm> {
  const options = ['--port', '0', '--chain-id', `${chainId}`, '--base-fee', '1000000000'];
  const limits = ['--disable-block-gas-limit', '--disable-min-priority-fee'];
  // The balance covers the gas limit that anvil proposes if a block has none.
  const accounts = ['--balance', '1000000000000', '--disable-default-create2-deployer'];
  const child = spawn(program, [...options, ...limits, ...accounts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code} before it listened.`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^Listening on (\S+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });

  async function ask(request: RpcRequest): Promise<{ result?: unknown; error?: never }> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, ...request });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://${address}`, { method: 'POST', headers, body });
    return (await response.json()) as { result?: unknown; error?: never };
  }

  return createEvm({
    chainId,
    async run(request) {
      const isSent = request.method === 'eth_sendTransaction';
      const { result = null, error } = await ask(isSent ? withPrice(request) : request);
      if (error !== undefined) return failedOutcome(error);
      if (isSent) {
        // Anvil answers before it has mined the transaction; our chain answers afterwards.
        const receipt = { method: 'eth_getTransactionReceipt', params: [result] };
        while (!(await ask(receipt)).result);
      }
      return JSON.stringify({ result });
    },
    close: () => child.kill(),
  });
}

/** Sets a gas price, since the one that anvil proposes falls below the tip that it adds. */
function withPrice({ method, params }: RpcRequest): RpcRequest {
  const [transaction] = params as [object];
  return { method, params: [{ gasPrice: numberToHex(2_000_000_000), ...transaction }] };
}
