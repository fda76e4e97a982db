import { type Agent, request as sendHttp } from 'node:http';
import type { FuzzAnswer } from './judge-answer.ts';
import type { FuzzRequest } from './make-request.ts';

/** So long that only a hang reaches it. */
const patience = 60_000;

type WireRequest = Pick<FuzzRequest, 'method' | 'path' | 'headers' | 'body'>;

export type Way = {
  readonly url: URL;
  readonly token: string | undefined;
  readonly address: number;
  readonly agents: readonly Agent[];
};

/** Sends one request. It reads only the beginning of a stream. */
export function sendRequest(
  request: WireRequest,
  { url, token, address, agents }: Way,
): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(
      Object.entries({
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...request.headers,
      }).map(([name, value]) => [name, String(value).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')]),
    );
    const length =
      request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) };
    const call = sendHttp(
      {
        host: '127.0.0.1',
        port: url.port,
        method: request.method,
        path: request.path.replaceAll(/[^\x21-\x7e]/g, '_'),
        headers: { host: url.host, ...headers, ...length },
        localAddress: `127.0.0.${2 + address}`,
        agent: agents[address],
        timeout: patience,
      },
      (response) => {
        const type = String(response.headers['content-type'] ?? '').split(';')[0] ?? '';
        const chunks: Buffer[] = [];
        const status = response.statusCode ?? 0;
        if (type === 'text/event-stream') {
          resolve({ status, type, body: '' });
          response.destroy();
          return;
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const isPlain = response.headers['content-encoding'] === undefined;
          resolve({ status, type, body: isPlain ? Buffer.concat(chunks).toString() : '' });
        });
      },
    );
    call.on('timeout', () => call.destroy(new Error(`nothing within ${patience} ms`)));
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection just as it is used again.
      const wasIdle = call.reusedSocket && error.code === 'ECONNRESET';
      if (wasIdle) resolve(sendRequest(request, { url, token, address, agents }));
      else reject(error);
    });
    call.end(request.body);
  });
}
