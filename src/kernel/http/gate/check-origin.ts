import { isLoopbackHost } from '../../network/is-loopback-host.ts';
import { EdgeError } from '../edge-error.ts';
import type { EdgeRequest } from '../edge-request.ts';

/**
 * Refuses requests that a page of another origin makes (L8). Accepted are no `Origin` at all, which
 * is everyone but browsers, the origin of the public URL, origins allowed by name, and a loopback
 * origin that is exactly the host the request names, so a developer may say 127.0.0.1 for
 * localhost. `Origin: null` is what browsers send for a form post under `no-referrer`: form paths
 * accept it and rely on their anti-forgery field, others must not.
 *
 * Does not check that the host is ours: {@link checkHost} runs before. Throws `FORBIDDEN_ORIGIN`.
 */
export function checkOrigin(options: {
  publicUrl: URL;
  allowedOrigins: readonly string[];
  acceptNull: boolean;
}): (request: EdgeRequest) => void {
  const { publicUrl, allowedOrigins, acceptNull } = options;
  const accepted = new Set([publicUrl.origin, ...allowedOrigins, ...(acceptNull ? ['null'] : [])]);
  return (request) => {
    const origin = request.header('origin');
    if (origin === undefined || accepted.has(origin)) return;
    const target = new URL(request.url);
    if (origin === target.origin && isLoopbackHost(target.hostname)) return;
    throw new EdgeError(
      'FORBIDDEN_ORIGIN',
      `Pages of the origin "${origin.slice(0, 255)}" may not call this path: it answers its own pages at ${publicUrl.origin} and callers that are not browsers.`,
    );
  };
}
