import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { runRaw } from './run-raw.ts';
import { startFuzzedServer } from './start-fuzzed-server.ts';

const requests = Number(process.env.TEST_RUNS ?? 3_000);
const seed = Number(process.env.TEST_SEED ?? 1);

test.each([false, true])(
  'no bytes on a socket end the process, leave an error unhandled or silence /health, TLS %s [N15]',
  { timeout: 900_000 },
  async (isTls) => {
    const report = await runRaw({ seed, requests: isTls ? requests / 3 : requests, isTls });
    console.log(`${report.sent} conversations, seed ${seed}:`, report.statuses);
    expect(report.failures).toEqual([]);
    expect(report.healthy).toBeGreaterThan(0);
    // It reaches services, and is refused before them.
    for (const status of [200, 400, 401, 403, 404, 405]) {
      expect(report.statuses[status]).toBeGreaterThan(0);
    }
  },
);

/** Throws in the server where nothing handles it, as a bug in a callback would. */
const faulty = new URL(
  `data:text/javascript,${encodeURIComponent(`
    process.on('message', (kind) => {
      setImmediate(() => process.send('thrown'));
      if (kind === 'throw') throw new Error('a thrown bug');
      Promise.reject(new Error('a rejected bug'));
    });
  `)}`,
);

test.each([
  ['throw', 'a thrown bug'],
  ['reject', 'a rejected bug'],
])(
  'an error that nothing handles (%s) is logged and counted, and the server goes on [N15]',
  async (kind, bug) => {
    const server = await startFuzzedServer({}, faulty);
    try {
      await server.ask(kind);
      expect((await fetch(new URL('/health', server.url))).status).toBe(200);
      const metrics = await (await fetch(new URL('/metrics', server.url))).text();
      expect(metrics).toContain('tradewind_faults_total{part="process"} 1');
      await eventually(() => expect(server.faults()).toContain(bug));
    } finally {
      await server.end();
    }
  },
);
