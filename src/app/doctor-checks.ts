import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { get as getOverTls } from 'node:https';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Database } from '../kernel/database/database.ts';
import { openDatabase } from '../kernel/database/open-database.ts';
import { sql } from '../kernel/database/sql.ts';
import { dataFileIn } from '../kernel/database/sqlite/data-file.ts';
import { DomainError } from '../kernel/model/domain-error.ts';
import type { DataDirectory } from '../kernel/process/data-directory.ts';
import { readJson } from '../kernel/text/json.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import { TimedOut, withDeadline } from '../kernel/wait/deadline.ts';
import type { Config } from './settings/all-settings.ts';

/** The finding of one check; `mend` says what to do if it is not ok. */
export type Finding =
  | { readonly check: string; readonly ok: true; readonly detail: string }
  | { readonly check: string; readonly ok: false; readonly detail: string; readonly mend: string };

// The first release with an unflagged node:sqlite and type stripping without warnings.
const neededMajor = 24;

/** Whether the runtime is the one the product is made for. */
export function checkRuntime(version: string): Finding {
  const detail = `Node.js ${version} on ${process.platform} ${process.arch}`;
  if (Number(version.split('.')[0]) >= neededMajor) return { check: 'runtime', ok: true, detail };
  return {
    check: 'runtime',
    ok: false,
    detail,
    mend: `run through npm, which brings Node.js ${neededMajor} along, or install Node.js ${neededMajor} or newer`,
  };
}

type Place = { readonly host: string; readonly port: number; readonly isTls: boolean };

/** Whether the address can be listened on; a Tradewind that already answers there is fine too. */
export async function checkPort(
  place: Place,
  clock: Clock,
): Promise<{ readonly finding: Finding; readonly isServed: boolean }> {
  const address = `${place.host}:${place.port}`;
  const code = await tryToListen(place);
  const isServed = code === 'EADDRINUSE' && (await isTradewind(place, clock));
  if (code === undefined || isServed) {
    const detail = isServed ? `a Tradewind already answers on ${address}` : `${address} is free`;
    return { finding: { check: 'port', ok: true, detail }, isServed };
  }
  const finding: Finding = {
    check: 'port',
    ok: false,
    detail: `${address} cannot be listened on (${code})`,
    mend: `${code === 'EADDRINUSE' ? 'stop the process that uses it, or ' : ''}choose another with TRADEWIND_PORT and TRADEWIND_HOST`,
  };
  return { finding, isServed };
}

function tryToListen({ host, port }: Place): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Milliseconds for an answer from this machine. */
const patience = 2_000;

async function isTradewind({ host, port, isTls }: Place, clock: Clock): Promise<boolean> {
  const ask = async (signal: AbortSignal) => {
    // The certificate names the public host, not this address. Nothing secret is sent, so it is not checked.
    const request = isTls
      ? getOverTls({ host, port, path: '/health', signal, rejectUnauthorized: false })
      : get({ host, port, path: '/health', signal });
    const [response] = await once(request, 'response');
    const body = (await json(response)) as { data?: { status?: unknown } };
    return body.data?.status === 'ok';
  };
  // Any other answer, or none in time, is not from a Tradewind.
  return withDeadline({ clock, milliseconds: patience }, ask).catch(() => false);
}

const leastFreeBytes = 256 * 1024 * 1024;

/**
 * Whether the data directory can be written and has room to grow. If it does not exist, the nearest directory above it
 * that does is checked.
 */
export async function checkDisk(dataDir: DataDirectory): Promise<Finding> {
  const path = resolve(dataDir);
  const there = nearestThere(path);
  try {
    // In a directory of its own, whose name nobody can guess.
    const probe = await mkdtemp(join(there, '.doctor-'));
    await writeFile(join(probe, 'probe'), 'probe', { flag: 'wx', flush: true }).finally(() =>
      rm(probe, { recursive: true, force: true }),
    );
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    const mend = isFull ? 'make room on its disk' : 'make the directory writable for this user';
    return {
      check: 'disk',
      ok: false,
      detail: `${path} cannot be written: ${error instanceof Error ? error.message : error}`,
      mend: `${mend}, or choose another with TRADEWIND_DATA_DIR`,
    };
  }
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  const detail = `${path} is writable, ${Math.floor(free / 1024 ** 2)} MiB free`;
  if (free >= leastFreeBytes) return { check: 'disk', ok: true, detail };
  return {
    check: 'disk',
    ok: false,
    detail,
    mend: 'free at least 256 MiB, or choose another directory with TRADEWIND_DATA_DIR',
  };
}

function nearestThere(path: string): string {
  return existsSync(path) ? path : nearestThere(dirname(path));
}

/**
 * Whether the store opens and answers, or is in use by the server that runs here already. Returns the open
 * database for the clock check; the caller closes it. Creates no file and migrates nothing.
 */
export async function checkDatabase(
  { dataDir, databaseUrl }: Config['server'],
  { isServed }: { readonly isServed: boolean },
): Promise<{ finding: Finding; database?: Database }> {
  const kind = databaseUrl === undefined ? `embedded, in ${dataDir}` : 'PostgreSQL';
  const well = (detail: string): Finding => ({
    check: 'database',
    ok: true,
    detail: `${kind}, ${detail}`,
  });
  if (databaseUrl === undefined && !existsSync(dataFileIn(dataDir))) {
    return { finding: well('will be created at the first start') };
  }
  let database: Database | undefined;
  try {
    database = await openDatabase({ dataDir, url: databaseUrl, keepsModes: true });
    await database.first(sql`SELECT 1 AS one`);
    return { finding: well('opens and answers'), database };
  } catch (error) {
    await database?.close();
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'IN_USE' && isServed) {
      return { finding: well('in use by the Tradewind that answers on the port') };
    }
    // The message of a file in use explains how to run a second server. That does not help here, so the finding
    // has its own advice.
    const detail =
      error.code === 'IN_USE' ? `${kind}, is in use by another process` : error.message;
    const mend =
      databaseUrl === undefined
        ? 'stop the process that uses it, or choose another directory with TRADEWIND_DATA_DIR'
        : 'correct TRADEWIND_DATABASE_URL, or start the PostgreSQL it names';
    return { finding: { check: 'database', ok: false, detail, mend } };
  }
}

/** Whether the NATS server answers and has JetStream, where one is named. Makes no stream. */
export async function checkNats(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) return [];
  const { connectNats } = await import('../kernel/work/nats.ts');
  const { openJetstream } = await import('../kernel/work/jetstream.ts');
  try {
    const nats = await connectNats(url);
    await openJetstream(nats).finally(() => nats.connection.close());
    return [{ check: 'nats', ok: true, detail: 'NATS answers and has JetStream' }];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const mend = 'start the NATS server with JetStream, or correct TRADEWIND_NATS_URL';
    return [{ check: 'nats', ok: false, detail: error.message, mend }];
  }
}

// Receivers of webhooks and checkers of tokens commonly allow a minute.
const tolerance = 60_000;
const thisReleaseWasMade = Date.UTC(2026, 10, 1);

/** Whether the clock can be right: later than this release, and close to that of PostgreSQL if used. */
export async function checkClock(clock: Clock, database: Database | undefined): Promise<Finding> {
  const now = clock.now();
  const shown = new Date(now).toISOString();
  const mend = 'set the clock, and keep it set with NTP';
  if (now < thisReleaseWasMade) {
    return { check: 'clock', ok: false, detail: `${shown} is earlier than this release`, mend };
  }
  const time = database?.dialect.time;
  if (database === undefined || time === undefined) {
    return { check: 'clock', ok: true, detail: shown };
  }
  const row = await database
    .first<{ now: number }>(sql`SELECT ${time} AS now`)
    .catch(() => undefined); // lost since the check of the database: nothing to compare with
  if (row === undefined) return { check: 'clock', ok: true, detail: shown };
  const drift = Math.abs(row.now - now);
  const detail = `${shown}, ${Math.round(drift)} ms from the clock of PostgreSQL`;
  return drift <= tolerance
    ? { check: 'clock', ok: true, detail }
    : { check: 'clock', ok: false, detail, mend };
}

/** Whether each endpoint named in the settings answers, and for the chain it is named for. */
export async function checkRpc(
  endpoints: ReadonlyMap<number, readonly string[]>,
  clock: Clock,
): Promise<Finding[]> {
  const probes = [...endpoints].flatMap(([chainId, urls]) =>
    urls.map((url, index) =>
      probe({ chainId, url, setting: `TRADEWIND_RPC_${chainId}`, index }, clock),
    ),
  );
  if (probes.length > 0) return Promise.all(probes);
  const detail =
    'no endpoints of your own are set; public ones are ranked when a chain is first asked for';
  return [{ check: 'rpc', ok: true, detail }];
}

type Endpoint = { chainId: number; url: string; setting: string; index: number };

const rpcPatience = 5_000;
/** Many times what the number of a chain takes. */
const mostBytes = 64 * 1024;

async function probe({ chainId, url, setting, index }: Endpoint, clock: Clock): Promise<Finding> {
  // Only the origin is shown: keys hide in paths and query strings.
  const shown = `${setting}, endpoint ${index + 1} (${new URL(url).origin})`;
  const mend = `correct or remove it in ${setting}`;
  try {
    const { result, status } = await withDeadline(
      { clock, milliseconds: rpcPatience },
      async (signal) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
          signal,
        });
        const answer = Object(await readJson(response, { mostBytes }));
        return { result: answer.result as unknown, status: response.status };
      },
    );
    if (Number(result) === chainId) {
      return { check: 'rpc', ok: true, detail: `${shown} answers for chain ${chainId}` };
    }
    const said =
      result === undefined ? `HTTP ${status} and no chain id` : `chain ${Number(result)}`;
    return { check: 'rpc', ok: false, detail: `${shown} answers ${said}`, mend };
  } catch (error) {
    const reason = error instanceof TimedOut ? 'in time' : 'at all';
    return { check: 'rpc', ok: false, detail: `${shown} does not answer ${reason}`, mend };
  }
}
