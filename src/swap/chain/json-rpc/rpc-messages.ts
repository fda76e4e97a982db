import type { Hex } from 'viem';
import { z } from 'zod';
import { classifyRpcError, type EndpointFailure, type RpcError } from './rpc-failures.ts';

export type RpcRequest = { readonly method: string; readonly params: readonly unknown[] };

export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError };

/** One request as an object, several as a batch; the ids count from 1. */
export function writeRequests(requests: readonly RpcRequest[]): string {
  const messages = requests.map(({ method, params }, index) => ({
    jsonrpc: '2.0',
    id: index + 1,
    method,
    params,
  }));
  return JSON.stringify(messages.length === 1 ? messages[0] : messages);
}

/**
 * The answers to `count` requests of {@link writeRequests} in their order, whatever order the node
 * chose, or undefined when the body is anything else.
 */
export function readAnswers(body: unknown, count: number): readonly RpcAnswer[] | undefined {
  if (count === 1) {
    const answer = readResponse(body);
    return answer === undefined ? undefined : [answer];
  }
  if (!Array.isArray(body) || body.length !== count) return undefined;
  const answers: RpcAnswer[] = [];
  for (const message of body) {
    const { id } = Object(message);
    const answer = readResponse(message);
    if (!Number.isInteger(id) || id < 1 || id > count || answer === undefined) return undefined;
    answers[id - 1] = answer;
  }
  return Object.keys(answers).length === count ? answers : undefined;
}

/** The error of a body that is a single error message, with which a node refuses a whole batch. */
export function readError(body: unknown): RpcError | undefined {
  const answer = readResponse(body);
  return answer !== undefined && 'error' in answer ? answer.error : undefined;
}

function readResponse(message: unknown): RpcAnswer | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
  if ('error' in message && message.error !== null) {
    const { code, message: text, data } = Object(message.error);
    if (typeof text !== 'string') return undefined;
    return { error: { code: typeof code === 'number' ? code : 0, message: text, data } };
  }
  return 'result' in message ? { result: message.result } : undefined;
}

/** A number as JSON-RPC writes it, of at most 256 bits. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform((text) => BigInt(text));

export const bytes = z.custom<Hex>(
  (text) => typeof text === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(text),
);

export const hash = z.custom<Hex>(
  (text) => typeof text === 'string' && /^0x[0-9a-f]{64}$/i.test(text),
);

/** The result in the form of the schema, or why the endpoint cannot be trusted or used. */
export function readAnswer<T extends z.ZodType>(
  answer: RpcAnswer | undefined,
  schema: T,
): { readonly value: z.output<T> } | EndpointFailure {
  if (answer !== undefined && 'error' in answer) {
    const kind = classifyRpcError(answer.error);
    // Its text is the endpoint's own, and may repeat the request or the URL with its key [F99].
    return {
      reason: kind === 'unknown-block' ? kind : 'error',
      message: `JSON-RPC error ${answer.error.code}${meanings[kind]}`,
    };
  }
  const parsed = schema.safeParse(answer?.result);
  return parsed.success
    ? { value: parsed.data }
    : { reason: 'garbage', message: 'the answer does not have the expected form' };
}

/** What is told of an error, by its kind. */
const meanings: Readonly<Record<ReturnType<typeof classifyRpcError>, string>> = {
  execution: ': the execution failed',
  'unknown-block': ': the block is not known there',
  'rate-limited': ': the endpoint limits the rate of requests',
  'too-large': ': the request or its answer is too large for it',
  'invalid-params': ': the endpoint does not take the parameters',
  other: '',
};
