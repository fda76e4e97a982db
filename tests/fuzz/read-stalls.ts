import { expect } from 'vitest';
import type { FuzzedServer } from './start-fuzzed-server.ts';

/** Node.js options that make a server report its stalls. */
export const measureStalls = `--import ${new URL('../support/children/measure-stalls.ts', import.meta.url).href}`;

/** The longest time that anything may block the event loop, in milliseconds of the thread's CPU time (N1). */
export const longestStall = 50;

/** A request that was slow by chance is not slow three times. */
const rounds = 3;

/** Reads the longest stalls of a server that was started with `measureStalls`. */
export function createStallReader(server: FuzzedServer) {
  let reports = 0;

  /** The longest stall since the last reading, in milliseconds. */
  const readStall = async (): Promise<number> => {
    reports += 1;
    server.signal('SIGUSR2');
    const report = new RegExp(`stall ${reports}: ([\\d.]+) ms`);
    await expect.poll(() => server.faults()).toMatch(report);
    return Number(report.exec(server.faults())?.[1]);
  };

  /** The longest stall that one of the requests causes in every round, which rules out garbage collection. */
  const slowestOf = async <Request>(
    requests: readonly Request[],
    send: (request: Request) => Promise<unknown>,
  ): Promise<number> => {
    let slowest = 0;
    for (const request of requests) {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < rounds && least > longestStall; round++) {
        await send(request);
        least = Math.min(least, await readStall());
      }
      slowest = Math.max(slowest, least);
    }
    return slowest;
  };

  return { readStall, slowestOf };
}
