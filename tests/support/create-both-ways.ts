import { request as ask } from 'node:http';
import { onTestFinished } from 'vitest';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import type { GateOptions } from '../../src/kernel/edge/gate/create-gate.ts';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import type { Mount } from '../../src/kernel/edge/mount.ts';
import { createFakeClock } from './fake-clock.ts';

/** Hop-by-hop headers and the like, which say nothing about the answer. */
const ofTheConnection = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'];

export type Asked = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
};

type Way = { isDirect: boolean; options?: Partial<GateOptions> };

/**
 * Serves mounts over real sockets in either of two ways: directly from the server's objects, and through the app. Returns
 * every effect of a request: the answer, the log lines and the observations.
 */
export function createBothWays(mounts: () => Mount[]) {
  async function answerTo(asked: Asked, way: Way) {
    const { url, lines, observations, whenLogged } = await open(way);
    const answer = await exchange(url, asked);
    await whenLogged;
    // The port and the count in a request id differ by chance.
    const text = JSON.stringify({ ...answer, lines, observations })
      .replaceAll(new URL(url).host, 'here')
      .replaceAll(/0{16}-\d+/g, 'id of ours');
    return JSON.parse(text);
  }

  function exchange(url: string, { method = 'GET', path, headers = {}, body }: Asked) {
    return new Promise<{ status: unknown; headers: object; body: string }>((resolve, reject) => {
      const request = ask(url, { method, path, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('end', () => {
          const headers = { ...incoming.headers };
          for (const name of ofTheConnection) delete headers[name];
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode, headers, body: text });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  async function open(way: Way) {
    const lines: { level: string; fields: object; message: string }[] = [];
    const observations: object[] = [];
    const logged = Promise.withResolvers<void>();
    const write = (level: string) => (fields: object, message: string) => {
      lines.push({ level, fields, message });
      if (message === 'request') logged.resolve();
    };
    const clock = createFakeClock();
    let throughApp = 0;
    const edge = createEdge({
      publicUrl: new URL('http://localhost:8787'),
      trustedProxies: [],
      allowedOrigins: ['https://friend.example'],
      mounts: mounts(),
      logger: { debug: write('debug'), info: write('info'), error: write('error') },
      clock,
      random: { bytes: (length) => new Uint8Array(length), fraction: () => 0 },
      observeRequest: (observation) => void observations.push(observation),
      ...way.options,
    });
    const listener = await openListener({
      fetch: (request, env) => {
        throughApp += 1;
        return edge.fetch(request, env);
      },
      refuseUnread: edge.refuseUnread,
      ...(way.isDirect ? { answerDirectly: edge.answerDirectly } : {}),
      host: '127.0.0.1',
      port: 0,
      trustedProxies: [],
      clock,
    });
    onTestFinished(() => listener.close(0));
    return {
      url: listener.url,
      lines,
      observations,
      whenLogged: logged.promise,
      /** How many requests the app has answered. */
      throughApp: () => throughApp,
    };
  }

  return { answerTo, exchange, open };
}
