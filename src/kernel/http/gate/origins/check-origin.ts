import { EdgeError } from '../../messages/edge-error.ts';
import type { EdgeRequest } from '../../messages/edge-request.ts';
import { ownOrigins } from './own-origins.ts';

/**
 * Refuses requests that a page of another origin makes (L8). Accepts requests without `Origin`, which come from everyone but
 * browsers, and those from our own origins. `Origin: null` is what browsers send for a form post under `no-referrer`: form paths
 * accept it and rely on their anti-forgery field, others must not.
 *
 * Does not check that the host is ours: {@link checkHost} runs before. Throws `FORBIDDEN_ORIGIN`.
 */
export function checkOrigin(options: {
  publicUrl: URL;
  allowedOrigins: readonly string[];
  acceptNull: boolean;
}): (request: EdgeRequest) => void {
  const { publicUrl, acceptNull } = options;
  const isOwn = ownOrigins(options);
  return (request) => {
    const origin = request.header('origin');
    if (origin === undefined || isOwn(origin, request)) return;
    if (acceptNull && origin === 'null') return;
    throw new EdgeError(
      'FORBIDDEN_ORIGIN',
      `Pages of the origin "${origin.slice(0, 255)}" may not call this path: it answers its own pages at ${publicUrl.origin} and callers that are not browsers.`,
    );
  };
}
