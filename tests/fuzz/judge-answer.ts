import { declaredServices } from '../../scripts/declared-services.ts';
import type { FuzzRequest } from './make-request.ts';

export type FuzzAnswer = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
};

/** What no caller may see: a stack trace, a file of the server, an SQL statement or its engine. */
const leaks = [
  /(?:\n|\\n)\s+at [^\n]+?:\d+:\d+/,
  /node_modules|node:internal|file:\/\/\//,
  /\bsrc\/[\w/-]+\.ts\b/,
  /\/(?:home|root|usr|tmp|var)\/[\w.-]+\//,
  /\b(?:SELECT\s.+\sFROM|INSERT INTO|UPDATE\s\w+\sSET|DELETE FROM)\b/,
  /SQLITE_|ERR_SQLITE|syntax error at or near|relation "\w+"/,
];

/** What is wrong with an answer; undefined if it conforms to the declaration of the operation (N7). */
export function judgeAnswer(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { operation, service, isAimed } = request;
  const { status, type, body } = answer;
  if (status >= 500 && !(status in operation.errors) && (isAimed || status === 500)) {
    return `status ${status}, which is not declared`;
  }
  const sent = `${decodeURIComponentLoosely(request.path)}${request.body ?? ''}`;
  const leak = leaks.map((pattern) => pattern.exec(body)?.[0]).find((found) => found !== undefined);
  if (leak !== undefined && type !== 'text/html' && !sent.includes(leak)) return `shows "${leak}"`;
  if (!type.startsWith('application/') || !type.includes('json') || body === '') return undefined;
  const parsed = parse(body);
  if (parsed === undefined) return 'says JSON and is not';
  if (!isAimed || request.method === 'HEAD') return undefined;
  if (status >= 400) {
    const envelopes = [service, ...declaredServices].map(({ error }) => error);
    const isKnown = envelopes.some((schema) => schema.safeParse(parsed.value).success);
    return isKnown ? undefined : 'a refusal in no declared envelope';
  }
  const { schema, status: expected = 200 } = operation.answer;
  if (schema === undefined || status !== expected || /[?&]fields=/.test(request.path))
    return undefined;
  const { error } = schema.safeParse(parsed.value);
  return error && `an answer beside its schema: ${JSON.stringify(error.issues[0])}`;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function decodeURIComponentLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
