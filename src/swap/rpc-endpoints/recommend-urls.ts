import type { EndpointRecord } from './endpoint-record.ts';
import { isOpenUrl } from './is-open-url.ts';
import { rankEndpoints } from './rank-endpoints.ts';

/** `rpcUrls` has at most five entries. */
const most = 5;

/**
 * The endpoints to recommend to callers, the best first: those that answered or, if none did, those
 * that callers may still reach. The operator's own are recommended only if they are open.
 */
export function recommendUrls(records: readonly EndpointRecord[]): readonly string[] {
  const open = rankEndpoints(records).filter(({ url }) => isOpenUrl(url));
  const answering = open.filter(({ verdict }) => verdict === 'answering');
  return (answering.length > 0 ? answering : open).slice(0, most).map(({ url }) => url);
}
