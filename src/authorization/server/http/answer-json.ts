import type { Answer } from '../../../kernel/http/messages/answer.ts';
import { noStore } from './no-store.ts';

const headers = { 'Content-Type': 'application/json', ...noStore };

/** An answer that must not be cached. */
export function answerJson(value: object, status = 200): Answer {
  return { status, headers, body: JSON.stringify(value) };
}
