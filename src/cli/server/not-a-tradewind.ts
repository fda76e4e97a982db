import { plainText } from '../plain-text.ts';
import { ServerError } from './server-error.ts';

/** The error for an answer that a Tradewind server would not give at this path. */
export function notATradewind(
  origin: string,
  { status, path }: { readonly status: number; readonly path: string },
): ServerError {
  return new ServerError(
    'NOT_A_TRADEWIND',
    `${origin} answers ${status} at ${plainText(path)}, but not in the form that a Tradewind server uses: check the address, or name another server with --server or TRADEWIND_PUBLIC_URL.`,
    { details: { status } },
  );
}
