import { z } from 'zod';
import { TimedOut, withDeadline } from '../../../kernel/cancel/with-deadline.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Block, BlockReference, Call, CallOutcome, ChainReader } from '../chain-reader.ts';
import { type Ask, askEndpoints } from './ask-endpoints.ts';
import { createEndpoint, type RpcEndpoint } from './create-endpoint.ts';
import type { RpcTransport } from './create-rpc-transport.ts';
import { type EndpointFailure, isFailure } from './endpoint-failure.ts';
import { createHeadWatch } from './head-watch.ts';
import { hedgeDelay } from './latency.ts';
import { readAnswer } from './read-answer.ts';
import { latestBlockRequests, readBlock } from './read-block.ts';
import { readCallOutcome } from './read-call-outcome.ts';
import { readLogs, writeLogsRequest } from './read-logs.ts';
import type { RpcAnswer, RpcRequest } from './rpc-message.ts';
import { hash } from './rpc-values.ts';
import { blockParameter, writeCall } from './write-call.ts';

/**
 * Reads a chain through JSON-RPC endpoints, best first; `endpointUrls` is asked before each read, so
 * that a new ranking takes effect at once. What is learned of an endpoint is kept while it is listed.
 *
 * Each read comes whole from one endpoint and takes at most `budgetMs`. An endpoint is failed over and
 * left out for a while when it serves another chain, lies more than `toleratedLag` blocks behind one
 * of the others, answers garbage, limits us, hangs or breaks off [Q16].
 */
export function createJsonRpcChainReader(options: {
  chainId: number;
  endpointUrls: () => readonly string[];
  transport: RpcTransport;
  clock: Clock;
  budgetMs?: number;
  toleratedLag?: bigint;
}): ChainReader {
  const { chainId, endpointUrls, clock, budgetMs = 10_000, toleratedLag = 4n } = options;
  const headWatch = createHeadWatch({ toleratedLag, clock });
  let known: ReadonlyMap<string, RpcEndpoint> = new Map();

  function endpoints(): readonly RpcEndpoint[] {
    const urls = new Set(endpointUrls());
    known = new Map(
      [...urls].map((url) => [url, known.get(url) ?? createEndpoint({ ...options, url })]),
    );
    return [...known.values()];
  }

  function askAll<T extends object>(ask: Ask<T>, signal: AbortSignal | undefined): Promise<T> {
    return askEndpoints({ endpoints: endpoints(), ask, chainId, clock, budgetMs, signal });
  }

  async function askHead(
    endpoint: RpcEndpoint,
    signal: AbortSignal,
  ): Promise<Block | EndpointFailure> {
    const answers = await endpoint.send(latestBlockRequests, signal);
    return isFailure(answers) ? answers : readHead(endpoint, answers);
  }

  function readHead(endpoint: RpcEndpoint, answers: readonly RpcAnswer[]): Block | EndpointFailure {
    const block = readBlock(answers);
    if (!isFailure(block)) headWatch.note(endpoint, block.number);
    return block;
  }

  /** Whether the first endpoint lags shows only beside others: two more are asked at the same time. */
  async function askOthersForHead(): Promise<void> {
    const patience = hedgeDelay(undefined);
    const others = endpoints()
      .filter(({ health }) => health.leftOutUntil <= clock.now())
      .slice(1, 3);
    await Promise.all(
      others.map(async (endpoint) => {
        const head = await withDeadline({ clock, milliseconds: patience }, (signal) =>
          askHead(endpoint, signal),
        ).catch((error: unknown): EndpointFailure => {
          if (!(error instanceof TimedOut)) throw error;
          return { reason: 'slow', message: `no answer for ${patience} ms` };
        });
        if (isFailure(head)) endpoint.failed(head);
      }),
    );
  }

  return {
    chainId,

    latestBlock({ signal } = {}) {
      const compared = headWatch.hasCompared() ? undefined : askOthersForHead();
      return askAll(async (endpoint, attemptSignal) => {
        const block = await askHead(endpoint, attemptSignal);
        if (isFailure(block)) return block;
        await compared;
        return headWatch.lagOf(block.number) ?? block;
      }, signal);
    },

    async call(calls, { block, signal }) {
      if (calls.length === 0) return [];
      return askAll(async (endpoint, attemptSignal) => {
        const answered = await callAt(endpoint, { calls, block, signal: attemptSignal });
        return isFailure(answered) ? answered : answered.outcomes;
      }, signal);
    },

    callWithHead(calls, { block, signal }) {
      const compared = headWatch.hasCompared() ? undefined : askOthersForHead();
      return askAll(async (endpoint, attemptSignal) => {
        const beside = latestBlockRequests;
        const asked = { calls, block, beside, signal: attemptSignal };
        const answered = await callAt(endpoint, asked);
        if (isFailure(answered)) return answered;
        const head = readHead(endpoint, answered.beside);
        if (isFailure(head)) return head;
        await compared;
        return headWatch.lagOf(head.number) ?? { outcomes: answered.outcomes, head };
      }, signal);
    },

    async logs(addresses, { block, signal }) {
      if (addresses.length === 0) return [];
      const { logs } = await askAll(async (endpoint, attemptSignal) => {
        const answers = await endpoint.send([writeLogsRequest(addresses, block)], attemptSignal);
        return isFailure(answers) ? answers : readLogs(answers[0], { addresses, block });
      }, signal);
      return logs;
    },
  };
}

type CallsAtBlock = {
  readonly calls: readonly Call[];
  readonly block: BlockReference;
  /** Sent along in the same batch. */
  readonly beside?: readonly RpcRequest[];
  readonly signal: AbortSignal;
};

type AnsweredCalls = {
  readonly outcomes: readonly CallOutcome[];
  readonly beside: readonly RpcAnswer[];
};

/** Runs the calls by block hash, or by number where the endpoint, perhaps only now, says it must be. */
async function callAt(
  endpoint: RpcEndpoint,
  options: CallsAtBlock,
): Promise<AnsweredCalls | EndpointFailure> {
  if (endpoint.takesBlockHash) {
    const { calls, block, beside = [], signal } = options;
    const parameter = blockParameter(block, true);
    const requests = [...calls.map((call) => writeCall(call, parameter)), ...beside];
    const answers = await endpoint.send(requests, signal);
    if (isFailure(answers)) return answers;
    if (endpoint.takesBlockHash) return readOutcomes(calls, answers);
  }
  return callAtNumber(endpoint, options);
}

/**
 * A number names a block only as long as no other takes its place: the hash is asked for after the
 * calls have been answered, and must still be the one that was meant.
 */
async function callAtNumber(
  endpoint: RpcEndpoint,
  { calls, block, beside = [], signal }: CallsAtBlock,
): Promise<AnsweredCalls | EndpointFailure> {
  const parameter = blockParameter(block, false);
  const requests = [...calls.map((call) => writeCall(call, parameter)), ...beside];
  const answers = await endpoint.send(requests, signal);
  if (isFailure(answers)) return answers;
  const check = { method: 'eth_getBlockByNumber', params: [parameter, false] };
  const headers = await endpoint.send([check], signal);
  if (isFailure(headers)) return headers;
  const header = readAnswer(headers[0], z.object({ hash }).nullable());
  if (isFailure(header)) return header;
  if (header.value?.hash.toLowerCase() !== block.hash.toLowerCase()) {
    return { reason: 'unknown-block', message: `block ${block.number} has another hash here` };
  }
  return readOutcomes(calls, answers);
}

function readOutcomes(
  calls: readonly Call[],
  answers: readonly RpcAnswer[],
): AnsweredCalls | EndpointFailure {
  const outcomes: CallOutcome[] = [];
  for (const [index, { overrides }] of calls.entries()) {
    const outcome = readCallOutcome(answers[index], overrides !== undefined);
    if (isFailure(outcome)) return outcome;
    outcomes.push(outcome);
  }
  return { outcomes, beside: answers.slice(calls.length) };
}
