import type { EdgeRequest } from '../../messages/edge-request.ts';
import { type OriginRules, ownOrigins } from './own-origins.ts';

/** Tells whether a web page of another origin sent a request. */
export type IsForeignPage = (request: Pick<EdgeRequest, 'address' | 'header'>) => boolean;

/**
 * Tells requests of foreign web pages from all others (N2): those with an `Origin` that is not ours,
 * `null` included, and those without one that the browser marks as coming from another origin
 * (`Sec-Fetch-Site`, Fetch Metadata). Programs that are no browsers send neither header.
 *
 * A person who follows a link from another site sends such a request too. So use this to forbid what
 * a page could do by itself, not to refuse a page that asks a person.
 */
export function foreignPages(rules: OriginRules): IsForeignPage {
  const isOwn = ownOrigins(rules);
  return (request) => {
    const origin = request.header('origin');
    if (origin !== undefined) return !isOwn(origin, request);
    const site = request.header('sec-fetch-site');
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  };
}
