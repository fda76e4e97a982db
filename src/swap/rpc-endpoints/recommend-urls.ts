import type { EndpointRecord } from './endpoint-record.ts';
import { isOpenUrl } from './is-open-url.ts';
import { rankEndpoints } from './rank-endpoints.ts';

/** `rpcUrls` has at most five entries. */
const most = 5;

/**
 * The endpoints to recommend to callers, the best first: those that answered or, where none did, those
 * that others may reach all the same. The operator's own are used too, but named only when open.
 */
export function recommendUrls(records: readonly EndpointRecord[]): readonly string[] {
  const open = rankEndpoints(records).filter(({ url }) => isOpenUrl(url));
  const answering = open.filter(({ verdict }) => verdict === 'answering');
  return (answering.length > 0 ? answering : open).slice(0, most).map(({ url }) => url);
}
