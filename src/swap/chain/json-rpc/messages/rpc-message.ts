import type { RpcError } from './classify-rpc-error.ts';

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
