import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { readingsOf } from '../server/readings-of.ts';

const requests = 5_000;

/**
 * Processor time per request of a bare Node.js server with a constant answer. It is the least that a request costs on this
 * machine at this moment, so figures of different machines and times can be compared relative to it.
 */
export async function measureBareServer(callers: number): Promise<number> {
  const server = fork(fileURLToPath(new URL('../edge/server.ts', import.meta.url)), ['node:http']);
  const [{ port }] = await once(server, 'message');
  const ask = async (count: number) => {
    let left = count;
    const call = async () => {
      while (left-- > 0) await (await request(`http://127.0.0.1:${port}/status`)).body.dump();
    };
    await Promise.all(Array.from({ length: callers }, call));
  };
  await ask(requests);
  const { readCpuMs } = readingsOf(server.pid);
  const before = readCpuMs();
  await ask(requests);
  const each = (readCpuMs() - before) / requests;
  server.kill();
  return each;
}
