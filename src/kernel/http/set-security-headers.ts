/**
 * The headers of every answer. `Cross-Origin-Opener-Policy` is left out on purpose: it cuts the tie to
 * the window that opened a sign-in popup, and clients wait in that window.
 */
const everywhere: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** One year, the least that browsers' preload lists accept (hstspreload.org). */
const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' };

/** What is not a page may load nothing and be framed nowhere. */
const closedPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Sets the security headers (R1); HSTS only where the public URL is HTTPS. A page brings a content
 * policy of its own and keeps it, where Hono's middleware would overwrite it.
 */
export function setSecurityHeaders(publicUrl: URL): (headers: Headers) => void {
  const overTls = publicUrl.protocol === 'https:';
  const fixed = Object.entries(overTls ? { ...everywhere, ...strictTransport } : everywhere);
  return (headers) => {
    for (const [name, value] of fixed) headers.set(name, value);
    const hasPolicy = headers.has('Content-Security-Policy');
    if (!hasPolicy) headers.set('Content-Security-Policy', closedPolicy);
  };
}
