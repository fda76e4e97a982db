import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** How the endpoint answers; it may also never answer. */
export type RpcBehaviour = (request: RpcRequest, response: ServerResponse) => void;

export type RpcRequest = { readonly id: number; readonly method: string };

export type RpcServer = {
  readonly url: string;
  /** The methods called so far, in order. */
  readonly methods: readonly string[];
  /** Resolves once that many requests have come in. */
  received(count: number): Promise<void>;
};

/** A JSON-RPC endpoint over HTTP, on a port of the system's choice. It closes with the test. */
export async function startRpcServer(behaviour: RpcBehaviour): Promise<RpcServer> {
  const methods: string[] = [];
  let waiting: Array<() => void> = [];
  const server = createServer(async (message, response) => {
    const request = await readRequest(message);
    methods.push(request.method);
    for (const check of waiting) check();
    behaviour(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Holds because the server listens on a port and not on a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    methods,
    received: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (methods.length < count) return;
          waiting = waiting.filter((other) => other !== check);
          resolve();
        };
        waiting.push(check);
        check();
      }),
  };
}

/** A node of the chain whose newest block has this timestamp, in milliseconds. */
export function healthyNode(chainId: number, headTimestamp: () => number): RpcBehaviour {
  return ({ id, method }, response) => {
    const block = { number: '0x10', timestamp: toQuantity(Math.floor(headTimestamp() / 1000)) };
    const result = method === 'eth_chainId' ? toQuantity(chainId) : block;
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
}

async function readRequest(message: IncomingMessage): Promise<RpcRequest> {
  let body = '';
  for await (const chunk of message.setEncoding('utf8')) body += chunk;
  return body === '' ? { id: 0, method: 'GET' } : JSON.parse(body);
}

function toQuantity(value: number): string {
  return `0x${value.toString(16)}`;
}
