import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { converse, readAnswers } from '../support/converse.ts';
import { createDice } from '../support/dice.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { createRawMaker } from './make-raw.ts';
import { openCredentials } from './open-credentials.ts';
import { type FuzzedServer, startFuzzedServer } from './start-fuzzed-server.ts';

export type RawFailure = {
  readonly index: number;
  readonly problem: string;
  readonly text: string;
};

export type RawReport = {
  readonly sent: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly failures: readonly RawFailure[];
  /** How often `/health` was asked meanwhile, and answered 200 each time. */
  readonly healthy: number;
};

export type RawRunOptions = {
  readonly seed: number;
  readonly from?: number;
  readonly requests: number;
  /** Whether the server and the conversations use TLS. */
  readonly isTls?: boolean;
  readonly until?: number;
  onProgress?(sent: number, failures: readonly RawFailure[]): void;
};

const atOnce = 32;
const addresses = 200;
const mostFailures = 20;
/** Milliseconds of silence after which a conversation is left. */
const patience = 250;
const certificate = (name: string) =>
  join(import.meta.dirname, '../support/certificates', `${name}.pem`);

/** What the server answers on purpose: no tunnel, a chain or store that fails, a limit. All other faults are bugs. */
const declaredFaults = new Set([501, 502, 503]);

/**
 * Writes random bytes that are almost requests to a server of its own, and looks at what no caller may cause: its end, an
 * error that nothing handled, a fault that is not declared, or a `/health` that does not answer (N15).
 */
export async function runRaw(options: RawRunOptions): Promise<RawReport> {
  const { seed, from = 0, requests, isTls = false, until = Number.POSITIVE_INFINITY } = options;
  const server = await startFuzzedServer(
    isTls
      ? {
          TRADEWIND_TLS_CERT: certificate('localhost'),
          TRADEWIND_TLS_KEY: certificate('localhost-key'),
        }
      : {},
  );
  const port = Number(server.url.port);
  const open = (index: number) => () => {
    const from = { port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (index % addresses)}` };
    return isTls ? connectTls({ ...from, rejectUnauthorized: false }) : connect(from);
  };
  const [token = ''] = isTls ? [] : await openCredentials(server.url);
  const host = server.url.host;
  const make = createRawMaker({ host, authorization: `Bearer ${token}` });
  const failures: RawFailure[] = [];
  const statuses: Record<number, number> = {};
  let [next, sent, healthy] = [from, 0, 0];
  let isDone = false;

  const last = `\r\n\r\nGET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  async function work(): Promise<void> {
    while (next < from + requests && failures.length < mostFailures && Date.now() < until) {
      const index = next++;
      const dice = createDice(createSeededFractions(Math.imul(seed + 1, 0x9e3779b1) ^ index));
      const { text, cutAt, isHalf } = make(dice);
      const isLeft = isHalf || dice.fraction() < 0.05;
      const whole = isLeft ? text : `${text}${last}`;
      const answers = readAnswers(await converse(open(index), { text: whole, cutAt }, patience));
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
      sent += 1;
      const fault = answers.find(({ status }) => status >= 500 && !declaredFaults.has(status));
      const problem =
        fault === undefined ? findFault(server) : `answered ${fault.status}: ${fault.body}`;
      if (problem !== undefined) failures.push({ index, problem, text: text.slice(0, 2_000) });
      if (!server.isAlive()) break;
      if (sent % 10_000 === 0) options.onProgress?.(sent, failures);
    }
  }

  async function watchHealth(): Promise<void> {
    while (!isDone && server.isAlive()) {
      const asked = `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const [answer] = readAnswers(await converse(open(-1), { text: asked }, 20_000));
      if (answer?.status === 200) healthy += 1;
      else if (!isDone)
        failures.push({ index: next, problem: `/health: ${answer?.status}`, text: '' });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  const watching = watchHealth();
  await Promise.all(Array.from({ length: atOnce }, work));
  isDone = true;
  await watching;
  await server.end();
  return { sent, statuses, failures, healthy };
}

/** What the log has that no caller may cause. Each line counts once. */
const told = new WeakMap<FuzzedServer, string>();
function findFault(server: FuzzedServer): string | undefined {
  if (!server.isAlive()) return `the server ended: ${server.faults().slice(-3_000)}`;
  const log = server.faults();
  if (log === told.get(server)) return undefined;
  const before = told.get(server) ?? '';
  told.set(server, log);
  const news = log.startsWith(before) ? log.slice(before.length) : log.slice(-5_000);
  const isBug = (line: string) =>
    line !== '' &&
    (!line.startsWith('{') || /"msg":"(?:unexpected error|fault:|refusal not)/.test(line));
  const lines = news.split('\n').filter(isBug);
  return lines.length === 0 ? undefined : `logged: ${lines.join('\n').slice(0, 3_000)}`;
}
