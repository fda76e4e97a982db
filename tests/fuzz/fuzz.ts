import { parseArgs } from 'node:util';
import { type FuzzFailure, runFuzz } from './run-fuzz.ts';
import { startFuzzedServer } from './start-fuzzed-server.ts';

// Sends random requests of the declared operations to a server of its own, on this machine:
//   npm run fuzz -- --requests 1000000 --seed 7
//   npm run fuzz -- --seed 7 --from 4711 --requests 1     the request that failed
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    from: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '600' },
  },
});
const seed = Number(values.seed);
console.log(`seed ${seed}`);
const server = await startFuzzedServer();
const start = Date.now();
let told = 0;
/** Prints failures at once and not at the end, since a run may take an hour. */
const tellNew = (failures: readonly FuzzFailure[]) => {
  for (const failure of failures.slice(told)) console.error(describe(failure));
  told = failures.length;
};
const { sent, statuses, failures } = await runFuzz({
  server,
  seed,
  from: Number(values.from),
  requests: Number(values.requests),
  until: start + Number(values.minutes) * 60_000,
  onProgress(count, failed) {
    const seconds = Math.round((Date.now() - start) / 1_000);
    console.log(`${count} requests, ${seconds} s, ${failed.length} failures`);
    tellNew(failed);
  },
});
const isAlive = server.isAlive();
if (failures.length > 0) console.error(server.faults().slice(-5_000));
await server.end();
console.log(`${sent} requests, ${failures.length} failures`, statuses);
tellNew(failures);
if (!isAlive) console.error('the server ended');
process.exitCode = failures.length === 0 && isAlive ? 0 : 1;

function describe({ index, problem, request }: FuzzFailure): string {
  const { operation, method, path, headers, body, credential } = request;
  const sentBody = body?.slice(0, 500);
  return `--seed ${seed} --from ${index} --requests 1: ${operation.id}: ${problem}\n${JSON.stringify({ method, path: path.slice(0, 500), headers, body: sentBody, credential })}`;
}
