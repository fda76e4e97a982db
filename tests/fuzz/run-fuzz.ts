import { Agent } from 'node:http';
import { declaredServices } from '../../scripts/declared-services.ts';
import { createDice } from '../support/dice.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { judgeAnswer } from './judge-answer.ts';
import { createRequestMaker, type FuzzRequest } from './make-request.ts';
import { openCredentials } from './open-credentials.ts';
import { sendRequest } from './send-request.ts';
import type { FuzzedServer } from './start-fuzzed-server.ts';

export type FuzzFailure = {
  readonly index: number;
  readonly problem: string;
  readonly request: FuzzRequest;
};

export type FuzzReport = {
  readonly sent: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly failures: readonly FuzzFailure[];
};

export type FuzzOptions = {
  readonly server: FuzzedServer;
  readonly seed: number;
  /** The index of the first request, to repeat one that failed. */
  readonly from?: number;
  readonly requests: number;
  /** Ends the run early, in milliseconds since the Unix epoch. */
  readonly until?: number;
  onProgress?(sent: number, failures: readonly FuzzFailure[]): void;
};

/** The number of caller addresses: enough that no rate limit of one address shields the operations. */
const addresses = 200;
const atOnce = 8;
const mostFailures = 20;
/** Tokens live for an hour; with an expired one, requests get no further than the guard. */
const tokensUsedFor = 30 * 60_000;

/** Sends requests and judges the answers; the request of an index is the same for the same seed. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const {
    server,
    seed,
    from = 0,
    requests,
    until = Number.POSITIVE_INFINITY,
    onProgress,
  } = options;
  let tokens = await openCredentials(server.url);
  let renewsAt = Date.now() + tokensUsedFor;
  let renewing: Promise<void> | undefined;
  const renew = async () => {
    tokens = await openCredentials(server.url);
    renewsAt = Date.now() + tokensUsedFor;
    renewing = undefined;
  };
  const make = createRequestMaker(declaredServices, tokens.length);
  const agents = Array.from(
    { length: addresses },
    () => new Agent({ keepAlive: true, maxSockets: 2 }),
  );
  const failures: FuzzFailure[] = [];
  const statuses: Record<number, number> = {};
  let next = from;
  let sent = 0;

  async function work(): Promise<void> {
    while (next < from + requests && failures.length < mostFailures && Date.now() < until) {
      if (Date.now() > renewsAt) {
        renewing ??= renew();
        await renewing;
      }
      const index = next++;
      const request = make(
        createDice(createSeededFractions(Math.imul(seed + 1, 0x9e3779b1) ^ index)),
      );
      const token = request.credential === undefined ? undefined : tokens[request.credential];
      const outcome = await sendRequest(request, {
        url: server.url,
        token,
        address: index % addresses,
        agents,
      })
        .then((answer) => ({ answer, problem: judgeAnswer(request, answer) }))
        .catch((error: Error) => ({ answer: undefined, problem: `no answer: ${error.message}` }));
      const status = outcome.answer?.status ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      sent += 1;
      if (outcome.problem !== undefined)
        failures.push({ index, problem: outcome.problem, request });
      if (sent % 10_000 === 0) onProgress?.(sent, failures);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const agent of agents) agent.destroy();
  return { sent, statuses, failures };
}
