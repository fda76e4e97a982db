import type { HeaderList } from '../messages/header-list.ts';

/**
 * The headers of every answer (R1); HSTS only where the public URL is HTTPS. An answer that is not a
 * page may load nothing and be framed nowhere. `Cross-Origin-Opener-Policy` is left out on purpose: it
 * would cut a sign-in popup off from the window that opened it, where the client waits.
 */
export function securityHeaders(publicUrl: URL): HeaderList {
  return [
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    'Cross-Origin-Resource-Policy',
    'same-origin',
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl.protocol === 'https:' ? strictTransport : []),
  ];
}

/** One year, the least that browsers' preload lists accept (hstspreload.org). */
const strictTransport = ['Strict-Transport-Security', 'max-age=31536000'];
