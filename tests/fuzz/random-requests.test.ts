import { expect, test } from 'vitest';
import { runFuzz } from './run-fuzz.ts';
import { startFuzzedServer } from './start-fuzzed-server.ts';

/** The number of requests bounds the run, and on a busy machine the time does. */
const [requests, longestMs] = [4_000, 60_000];

test('random requests find no undocumented 5xx, no crash, and no stack, path or SQL [N7]', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 1);
  console.log(`npm run fuzz -- --seed ${seed} --requests ${requests}`);
  const server = await startFuzzedServer();
  try {
    const { sent, failures } = await runFuzz({
      server,
      seed,
      requests,
      until: Date.now() + longestMs,
    });
    const found = failures.map(({ index, problem, request }) => ({
      repeat: `npm run fuzz -- --seed ${seed} --from ${index} --requests 1`,
      problem,
      sent: `${request.method} ${request.path.slice(0, 300)}`,
    }));
    expect(found).toEqual([]);
    expect(sent).toBeGreaterThan(0);
    expect(server.isAlive()).toBe(true);
  } finally {
    await server.end();
  }
});
