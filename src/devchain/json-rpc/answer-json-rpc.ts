import { JsonError, parseJson } from '../../kernel/text/json.ts';
import { devchainLimits } from '../limits.ts';

/** The outcome of one request as JSON text: `{"result":…}` or `{"error":{…}}`, without an id. */
export type AnswerRequest = (request: { method: string; params: unknown }) => Promise<string>;

/** Whether the process can hold so many characters more of the answer. */
export type KeepAnswer = (characters: number) => boolean;

const mostOfBatch = devchainLimits.batchAnswer.value;

/** As many as go-ethereum takes. */
const batchLimit = devchainLimits.batch.value;

/**
 * Answers the text of one JSON-RPC 2.0 request or batch with the text of the response. A batch runs in
 * its own order, so that a read sees the transaction sent before it. The answer is empty where the
 * specification wants none: for a notification, and for a batch of nothing else (sections 4.1 and 6).
 *
 * Throws `JsonError` for what is nested too deep. Missing `params` become an empty list. It does not check methods or parameters: `answer` does.
 * Where the answers to a batch are too large together, or `keep` refuses one, the rest of the batch is not carried out [F95].
 */
export async function answerJsonRpc(
  text: string,
  answer: AnswerRequest,
  keep: KeepAnswer = () => true,
): Promise<string> {
  const message = parse(text);
  if (message === undefined)
    return failure(-32700, 'The body is not JSON, or has too many values.');
  const collected: Collected = { characters: 0, refusal: undefined };
  const bounded: AnswerRequest = (request) => collect(request, collected, { answer, keep });
  if (!Array.isArray(message)) return answerOne(message, bounded);
  if (message.length === 0) return failure(-32600, 'The batch is empty.');
  if (message.length > batchLimit) {
    return failure(-32600, `A batch of ${message.length} is over ${batchLimit}: send it in parts.`);
  }

  const responses: string[] = [];
  for (const request of message) {
    const response = await answerOne(request, bounded);
    if (response !== '') responses.push(response);
  }
  return responses.length === 0 ? '' : `[${responses.join(',')}]`;
}

type Collected = { characters: number; refusal: string | undefined };

/** The outcome of one request or, once the outcomes are too much, an error in its place. */
async function collect(
  request: Parameters<AnswerRequest>[0],
  collected: Collected,
  { answer, keep }: { answer: AnswerRequest; keep: KeepAnswer },
): Promise<string> {
  if (collected.refusal !== undefined) return collected.refusal;
  const outcome = await answer(request);
  collected.characters += outcome.length;
  if (collected.characters > mostOfBatch) collected.refusal = tooMuchOfBatch;
  else if (!keep(outcome.length)) collected.refusal = tooMuchHeld;
  return collected.refusal ?? outcome;
}

const refused = (code: number, message: string) => JSON.stringify({ error: { code, message } });
const tooMuchOfBatch = refused(
  -32000,
  `The answers to this batch are too large together, over ${mostOfBatch} characters: send it in parts.`,
);
const tooMuchHeld = refused(
  -32005,
  'Too many large answers of the development chain have not been taken yet: ask for less at once.',
);

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
