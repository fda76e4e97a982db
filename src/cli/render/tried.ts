import type { DomainError } from '../../kernel/domain-error.ts';
import { plainText } from '../plain-text.ts';

/** More than the endpoints of any chain. */
const most = 50;

/** A line for each tried endpoint in the details of an error: which one, and why it failed. */
export function renderTried(details: DomainError['details']): string {
  const { attempts } = details ?? {};
  const listed: readonly unknown[] = Array.isArray(attempts) ? attempts.slice(0, most) : [];
  return listed.map(renderAttempt).join('');
}

function renderAttempt(attempt: unknown): string {
  const { endpoint, message } = (attempt ?? {}) as { endpoint?: unknown; message?: unknown }; // checked below
  if (typeof endpoint !== 'string' || typeof message !== 'string') return '';
  return `  ${plainText(`${endpoint}: ${message}`)}\n`;
}
