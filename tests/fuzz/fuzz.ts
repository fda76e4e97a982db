import { parseArgs } from 'node:util';
import { type FuzzFailure, runFuzz } from './run-fuzz.ts';
import { runRaw } from './run-raw.ts';
import { startFuzzedServer } from './start-fuzzed-server.ts';

// Sends random requests of the declared operations to a server of its own, on this machine:
//   npm run fuzz -- --requests 1000000 --seed 7
//   npm run fuzz -- --seed 7 --from 4711 --requests 1     the request that failed
//   npm run fuzz -- --raw --requests 1000000 --seed 7     bytes on the socket instead; with --tls through TLS
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    from: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '600' },
    raw: { type: 'boolean', default: false },
    tls: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
console.log(`seed ${seed}`);
if (values.raw) {
  process.exitCode = await fuzzRaw();
  process.exit();
}
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

async function fuzzRaw(): Promise<number> {
  const begun = Date.now();
  const { sent, statuses, failures, healthy } = await runRaw({
    seed,
    isTls: values.tls,
    from: Number(values.from),
    requests: Number(values.requests),
    until: begun + Number(values.minutes) * 60_000,
    onProgress: (count, failed) =>
      console.log(
        `${count} conversations, ${Math.round((Date.now() - begun) / 1_000)} s, ${failed.length} failures`,
      ),
  });
  for (const { index, problem, text } of failures) {
    const way = `--raw${values.tls ? ' --tls' : ''} --seed ${seed} --from ${index} --requests 1`;
    console.error(`${way}: ${problem}\n${JSON.stringify(text)}`);
  }
  console.log(
    `${sent} conversations, ${failures.length} failures, healthy ${healthy} times`,
    statuses,
  );
  return failures.length;
}
