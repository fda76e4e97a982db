import { JsonError, parseJson } from '../../kernel/text/json.ts';
import { devchainLimits } from '../limits.ts';

/** The outcome of one request as JSON text: `{"result":…}` or `{"error":{…}}`, without an id. */
export type AnswerRequest = (request: { method: string; params: unknown }) => Promise<string>;

/** As many as go-ethereum takes. */
const batchLimit = devchainLimits.batch.value;

/**
 * Answers the text of one JSON-RPC 2.0 request or batch with the text of the response. A batch runs in
 * its own order, so that a read sees the transaction sent before it. The answer is empty where the
 * specification wants none: for a notification, and for a batch of nothing else (sections 4.1 and 6).
 *
 * Throws `JsonError` for what is nested too deep. Missing `params` become an empty list. It does not check methods or parameters: `answer` does.
 */
export async function answerJsonRpc(text: string, answer: AnswerRequest): Promise<string> {
  const message = parse(text);
  if (message === undefined)
    return failure(-32700, 'The body is not JSON, or has too many values.');
  if (!Array.isArray(message)) return answerOne(message, answer);
  if (message.length === 0) return failure(-32600, 'The batch is empty.');
  if (message.length > batchLimit) {
    return failure(-32600, `A batch of ${message.length} is over ${batchLimit}: send it in parts.`);
  }

  const responses: string[] = [];
  for (const request of message) {
    const response = await answerOne(request, answer);
    if (response !== '') responses.push(response);
  }
  return responses.length === 0 ? '' : `[${responses.join(',')}]`;
}

async function answerOne(request: unknown, answer: AnswerRequest): Promise<string> {
  if (!isRequest(request)) {
    return failure(-32600, 'A request is an object with a string as its "method".');
  }
  const outcome = await answer({ method: request.method, params: request.params ?? [] });
  if (request.id === undefined) return '';
  // The outcome is an object in JSON: its members follow ours without being parsed, however large.
  return `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},${outcome.slice(1)}`;
}

function isRequest(value: unknown): value is { method: string; params?: unknown; id?: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    typeof value.method === 'string'
  );
}

function failure(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError && error.isTooDeep) throw error;
    return undefined;
  }
}
