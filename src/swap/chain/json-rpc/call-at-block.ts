import { z } from 'zod';
import type { BlockReference, Call, CallOutcome } from '../chain-reader.ts';
import { type EndpointFailure, isFailure } from './endpoint-failure.ts';
import type { RpcEndpoint } from './endpoints/create-endpoint.ts';
import { readAnswer } from './messages/read-answer.ts';
import { readCallOutcome } from './messages/read-call-outcome.ts';
import type { RpcAnswer, RpcRequest } from './messages/rpc-message.ts';
import { hash } from './messages/rpc-values.ts';
import { blockParameter, writeCall } from './messages/write-call.ts';

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

/** Runs the calls by block hash, or by number if the endpoint accepts no hashes. */
export async function callAtBlock(
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
 * A number names the block only until a reorganisation replaces it. So the hash is read after the
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
