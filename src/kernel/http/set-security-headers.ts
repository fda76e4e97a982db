import type { MiddlewareHandler } from 'hono';
import type { EdgeEnv } from './edge-env.ts';

/**
 * The headers every answer carries unless its handler chose its own, which Hono's middleware would
 * overwrite: a page brings the content policy it needs, everything else may load nothing and be
 * framed nowhere. `Cross-Origin-Opener-Policy` is left out on purpose: it cuts the tie to the window
 * that opened a sign-in popup, and clients wait in that window.
 */
const everywhere: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** One year, the least that browsers' preload lists accept (hstspreload.org). */
const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' };

/** Sets the security headers (R1); HSTS only where the public URL is HTTPS. */
export function setSecurityHeaders(publicUrl: URL): MiddlewareHandler<EdgeEnv> {
  const overTls = publicUrl.protocol === 'https:';
  const headers = Object.entries(overTls ? { ...everywhere, ...strictTransport } : everywhere);
  return async (c, next) => {
    await next();
    for (const [name, value] of headers) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  };
}
