import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { numberToHex } from 'viem';
import { createLaggingNode, type RpcNode } from './lagging-node.ts';

/** How the server misbehaves until the faults are set again. Several faults may be active at once. */
export type RpcFaults = {
  /** Waits so many milliseconds before each answer. */
  delay?: number | undefined;
  /** Claims to be another chain. */
  chainId?: number | undefined;
  /** Lags so many blocks behind the head. */
  lag?: number | undefined;
  /** Instead of an answer: an HTTP error, text that is not JSON, half a body, or nothing at all. */
  instead?: 'too-many-requests' | 'server-error' | 'garbage' | 'half-body' | 'hang';
};

export type RpcServer = {
  readonly url: string;
  /** HTTP requests, and the calls in them by method: a batch of three is one request and three calls. */
  readonly requests: number;
  readonly calls: ReadonlyMap<string, number>;
  /** Bytes of the bodies of these requests. */
  readonly bytes: number;
  resetCounts(): void;
  misbehave(faults: RpcFaults): void;
  behave(): void;
  close(): Promise<void>;
};

type Call = { id?: unknown; method: string };

/** Serves JSON-RPC over HTTP on a port of the system's choice, counting calls, with faults on demand. */
export async function openRpcServer(node: RpcNode): Promise<RpcServer> {
  let requests = 0;
  let bytes = 0;
  let faults: RpcFaults = {};
  const calls = new Map<string, number>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    const body = await text(request);
    bytes += Buffer.byteLength(body);
    for (const { method } of readCalls(body)) calls.set(method, (calls.get(method) ?? 0) + 1);
    // The faults at this moment apply to the whole request.
    const { delay, chainId, lag, instead } = faults;
    if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
    // With half a body the node has executed the call; the other replacements stop the call before the node.
    const isMade = instead === undefined || instead === 'half-body';
    send(response, { answer: isMade ? await answer(body, { chainId, lag }) : '', instead });
  }

  async function answer(body: string, { chainId, lag }: RpcFaults): Promise<string> {
    const seen = lag === undefined ? node : createLaggingNode(node, lag);
    const truth = await seen.handle(body);
    return chainId === undefined ? truth : lie({ body, answer: truth, chainId });
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Holds because the server listens on a port and not on a pipe.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    calls,
    get bytes() {
      return bytes;
    },
    resetCounts() {
      requests = 0;
      bytes = 0;
      calls.clear();
    },
    misbehave(next) {
      faults = next;
    },
    behave() {
      faults = {};
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  response: ServerResponse,
  { answer, instead }: { answer: string; instead: RpcFaults['instead'] },
): void {
  switch (instead) {
    case 'hang':
      return;
    case 'too-many-requests':
      response.writeHead(429, { 'retry-after': '1' }).end();
      return;
    case 'server-error':
      response.writeHead(500).end('internal error');
      return;
    case 'garbage':
      response.setHeader('content-type', 'application/json').end('<html>no JSON</html>');
      return;
    case 'half-body':
      response.setHeader('content-length', Buffer.byteLength(answer));
      response.write(answer.slice(0, answer.length / 2), () => response.destroy());
      return;
    case undefined:
      response.setHeader('content-type', 'application/json').end(answer);
  }
}

function readCalls(body: string): Call[] {
  try {
    const message: Call | Call[] = JSON.parse(body);
    return Array.isArray(message) ? message : [message];
  } catch {
    return [];
  }
}

/** The answer with another chain id in place of each result of `eth_chainId`. */
function lie({ body, answer, chainId }: { body: string; answer: string; chainId: number }): string {
  const asked = readCalls(body).filter(({ method }) => method === 'eth_chainId');
  if (asked.length === 0) return answer;
  const ids = new Set(asked.map(({ id }) => id));
  const response = JSON.parse(answer);
  for (const one of Array.isArray(response) ? response : [response]) {
    if (ids.has(one.id)) one.result = numberToHex(chainId);
  }
  return JSON.stringify(response);
}
