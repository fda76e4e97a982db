import { DomainError } from '../../kernel/domain-error.ts';
import { ServerError } from './server-error.ts';

/**
 * Why a request to this origin got no answer: what the client of authorization says of a sign-in that did not
 * succeed, and of everything else that nobody answers. The cause may contain the whole URL, so only the origin is
 * shown.
 */
export function explainFailedRequest(origin: string, cause: unknown): DomainError {
  if (cause instanceof DomainError && cause.code !== 'UNREACHABLE') return cause;
  return new ServerError(
    'SERVER_UNREACHABLE',
    `No server answers at ${origin}: start one with tradewind serve, or name another one with --server or TRADEWIND_PUBLIC_URL.`,
    { cause },
  );
}
