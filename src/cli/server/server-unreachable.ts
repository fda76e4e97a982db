import { ServerError } from './server-error.ts';

/** Nobody answers at this origin. The cause may repeat the whole URL, so that only the origin is told. */
export function serverUnreachable(origin: string, cause: unknown): ServerError {
  return new ServerError(
    'SERVER_UNREACHABLE',
    `No server answers at ${origin}: start one with tradewind serve, or name another one.`,
    { cause },
  );
}
