import { isIP } from 'node:net';
import { parseUrl } from '../../kernel/text/parse-url.ts';

/** Providers put keys into the path: long segments of letters and digits, or very long words. */
function isKeyLike(segment: string): boolean {
  return (/\d/.test(segment) && /^[\w-]{16,}$/.test(segment)) || /^[A-Za-z]{24,}$/.test(segment);
}

/** Some put keys into the host name. Chain names are shorter or have hyphens. */
function isKeyLikeLabel(label: string): boolean {
  return /\d/.test(label) && /^[a-z0-9]{20,}$/.test(label);
}

/** Names that mean something only inside a network. */
const inside = /^[^.]+$|\.(local|localhost|internal|lan|home\.arpa)$/;

/**
 * Whether an endpoint may be named to anyone: HTTPS, at a public name, and with nothing in it that
 * could be a credential: no user, no query, no template such as `${API_KEY}`, no key-like part of the
 * path or the host. It resolves no names; a public name may still lead to a private address.
 */
export function isOpenUrl(text: string): boolean {
  const url = /[${}<>]/.test(text) ? undefined : parseUrl(text);
  if (url === undefined) return false;
  if (url.protocol !== 'https:' || url.username || url.password || url.search || url.hash) {
    return false;
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 || inside.test(host)) return false;
  if (host.split('.').some(isKeyLikeLabel)) return false;
  return !url.pathname.split('/').some(isKeyLike);
}
