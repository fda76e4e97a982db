import type { Hex } from 'viem';
import { numberToHex } from 'viem/utils';
import { z } from 'zod';
import type { BlockReference, Call, CallOutcome } from '../chain-reader.ts';
import type { RpcEndpoint } from './endpoint.ts';
import { classifyRpcError, type EndpointFailure, isFailure, revertData } from './rpc-failures.ts';
import { bytes, hash, type RpcAnswer, type RpcRequest, readAnswer } from './rpc-messages.ts';

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

/** How a request names its block: by hash (EIP-1898), or by number if a node accepts no hashes. */
type BlockParameter = Hex | { readonly blockHash: Hex; readonly requireCanonical: true };

function blockParameter(block: BlockReference, byHash: boolean): BlockParameter {
  return byHash ? { blockHash: block.hash, requireCanonical: true } : numberToHex(block.number);
}

/** `eth_call`, with the third parameter only where there is something to override. */
function writeCall(call: Call, block: BlockParameter): RpcRequest {
  const { from, to, data, value, gas, overrides } = call;
  const transaction = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(value === undefined ? {} : { value: numberToHex(value) }),
    ...(gas === undefined ? {} : { gas: numberToHex(gas) }),
    data,
  };
  const params: unknown[] = [transaction, block];
  if (overrides !== undefined) params.push(writeOverrides(overrides));
  return { method: 'eth_call', params };
}

function writeOverrides(overrides: NonNullable<Call['overrides']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(overrides).map(([address, { balance, code, slots }]) => [
      address,
      {
        ...(balance === undefined ? {} : { balance: numberToHex(balance) }),
        ...(code === undefined ? {} : { code }),
        ...(slots === undefined ? {} : { stateDiff: slots }),
      },
    ]),
  );
}

/**
 * The outcome of an `eth_call`. If a node refuses the parameters, the state overrides are the reason, since every
 * node accepts the rest of the call.
 */
function readCallOutcome(
  answer: RpcAnswer | undefined,
  hasOverrides: boolean,
): CallOutcome | EndpointFailure {
  if (answer !== undefined && 'error' in answer) {
    const { message, data } = answer.error;
    const kind = classifyRpcError(answer.error);
    if (kind === 'invalid-params' && hasOverrides) return { status: 'unsupported' };
    if (kind === 'execution' || kind === 'too-large') {
      return { status: 'failed', data: revertData(data), reason: message.slice(0, 200) };
    }
  }
  const data = readAnswer(answer, bytes);
  return isFailure(data) ? data : { status: 'returned', data: data.value };
}
