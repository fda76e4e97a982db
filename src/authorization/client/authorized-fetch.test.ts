import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { createAuthorizedFetch } from './authorized-fetch.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** An answer whose body begins and never ends. */
async function startEndless(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200).write('begun');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

it.each(['init', 'request'])(
  'ends an answer under way when the signal of the caller fires, also after garbage collection: given by %s [T8]',
  async (way) => {
    const serverUrl = await startEndless();
    const authorized = await createAuthorizedFetch({ serverUrl, vault: new Map() });
    const caller = new AbortController();
    const request = new Request(serverUrl, { signal: caller.signal });
    const response =
      way === 'init'
        ? await authorized(serverUrl, { signal: caller.signal })
        : await authorized(request);
    const reader = response.body!.getReader();
    await reader.read();
    const rest = reader.read();
    for (let turn = 0; turn < 3; turn++) {
      collectGarbage();
      await new Promise(setImmediate);
    }
    caller.abort();
    await expect(rest).rejects.toThrow(/abort/);
    expect(request.url).toBe(serverUrl);
  },
);
