import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How the server misbehaves until it is told otherwise. Several may hold at once. */
export type RpcFaults = {
  /** Waits so many milliseconds before each answer. */
  delay?: number;
  /** Claims to be another chain. */
  chainId?: number;
  /** Shows the chain as it was so many blocks ago. */
  lag?: number;
  /** Instead of an answer: an HTTP error, text that is not JSON, half a body, or nothing at all. */
  instead?: 'too-many-requests' | 'server-error' | 'garbage' | 'half-body' | 'hang';
};

export type RpcServer = {
  readonly url: string;
  /** Requests over HTTP, and calls in them by method: a batch of three is one request, three calls. */
  readonly requests: number;
  readonly calls: ReadonlyMap<string, number>;
  resetCounts(): void;
  misbehave(faults: RpcFaults): void;
  behave(): void;
  close(): Promise<void>;
};

type Call = { id?: unknown; method: string; params?: unknown[] };

/** Serves JSON-RPC over HTTP on a port of the system's choice, counting calls, with faults on demand. */
export async function openRpcServer(evm: {
  handle(jsonRpc: string): Promise<string>;
}): Promise<RpcServer> {
  let requests = 0;
  let faults: RpcFaults = {};
  const calls = new Map<string, number>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    const body = await text(request);
    count(body, calls);
    // The faults of this moment hold for the whole request.
    const { delay, chainId, lag, instead } = faults;
    if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
    if (instead === 'hang') return;
    if (instead === 'too-many-requests') {
      response.writeHead(429, { 'retry-after': '1' }).end();
      return;
    }
    if (instead === 'server-error') {
      response.writeHead(500).end('internal error');
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (instead === 'garbage') {
      response.end('<html>not what you asked for</html>');
      return;
    }
    let answer = await evm.handle(lag === undefined ? body : await lookBack(body, lag, evm));
    if (lag !== undefined) answer = lowerHead({ body, answer, lag });
    if (chainId !== undefined) answer = claimChainId({ body, answer, chainId });
    if (instead === 'half-body') {
      response.setHeader('content-length', Buffer.byteLength(answer));
      response.write(answer.slice(0, answer.length / 2), () => response.destroy());
      return;
    }
    response.end(answer);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this kind, not a pipe's name.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    calls,
    resetCounts() {
      requests = 0;
      calls.clear();
    },
    misbehave(next) {
      faults = next;
    },
    behave() {
      faults = {};
    },
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function readCalls(body: string): Call[] {
  try {
    const message: Call | Call[] = JSON.parse(body);
    return Array.isArray(message) ? message : [message];
  } catch {
    return [];
  }
}

function count(body: string, calls: Map<string, number>): void {
  for (const { method } of readCalls(body)) calls.set(method, (calls.get(method) ?? 0) + 1);
}

/** Points every `latest` and `pending` of the request `lag` blocks back. */
async function lookBack(
  body: string,
  lag: number,
  evm: { handle(jsonRpc: string): Promise<string> },
): Promise<string> {
  const head = JSON.parse(
    await evm.handle('{"jsonrpc":"2.0","id":0,"method":"eth_blockNumber"}'),
  ).result;
  const seen = `0x${Math.max(0, Number(head) - lag).toString(16)}`;
  return body.replaceAll(/"(latest|pending|safe|finalized)"/g, `"${seen}"`);
}

function lowerHead({ body, answer, lag }: { body: string; answer: string; lag: number }): string {
  return mapResults({ body, answer, method: 'eth_blockNumber' }, (head) => {
    return `0x${Math.max(0, Number(head) - lag).toString(16)}`;
  });
}

function claimChainId(options: { body: string; answer: string; chainId: number }): string {
  const claimed = `0x${options.chainId.toString(16)}`;
  return mapResults({ ...options, method: 'eth_chainId' }, () => claimed);
}

function mapResults(
  { body, answer, method }: { body: string; answer: string; method: string },
  change: (result: unknown) => string,
): string {
  const ids = new Set(readCalls(body).flatMap((call) => (call.method === method ? [call.id] : [])));
  if (ids.size === 0) return answer;
  const response = JSON.parse(answer);
  for (const one of Array.isArray(response) ? response : [response]) {
    if (ids.has(one.id)) one.result = change(one.result);
  }
  return JSON.stringify(response);
}
