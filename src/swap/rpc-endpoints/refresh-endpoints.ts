import type { Clock } from '../../kernel/time/clock.ts';
import type { ChainList } from './create-chain-list.ts';
import type { EndpointOrigin, EndpointRecord } from './endpoint-record.ts';
import type { Fetch } from './fetch.ts';
import { normalizeUrl } from './normalize-url.ts';
import { probeEndpoint } from './probe-endpoint.ts';
import { recordOutcome } from './record-outcome.ts';

/** Endpoints of one chain by URL, in the order in which they became known. */
export type EndpointRecords = Map<string, EndpointRecord>;

/** Adds endpoints that are not known yet; one from the settings keeps that origin in every list. */
export function addUntried(
  records: EndpointRecords,
  { urls, origin }: { urls: readonly string[]; origin: EndpointOrigin },
): void {
  for (const url of urls.map(normalizeUrl)) {
    if (!records.has(url)) records.set(url, { url, origin, verdict: 'untried', errorRate: 0 });
  }
}

export type Refresh = {
  readonly chainId: number;
  readonly chainList: ChainList;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called whenever one more endpoint has been measured. */
  readonly onMeasured: () => void;
};

/**
 * Measures all endpoints of a chain at once and records each result as it arrives. Endpoints of the
 * public list join as soon as the list is read; the others do not wait for it. Endpoints that the
 * list has dropped are removed when they no longer answer. Nothing is recorded once the signal has
 * fired.
 */
export async function refreshEndpoints(records: EndpointRecords, refresh: Refresh): Promise<void> {
  const { chainId, chainList, signal, onMeasured } = refresh;

  async function measure(record: EndpointRecord): Promise<void> {
    const outcome = await probeEndpoint({ ...refresh, url: record.url });
    if (signal.aborted) return;
    records.set(record.url, recordOutcome(record, outcome));
    onMeasured();
  }

  async function measureListed(known: ReadonlySet<string>): Promise<readonly string[]> {
    const urls = await chainList.endpointsOf(chainId, signal);
    addUntried(records, { urls, origin: 'chain-list' });
    await Promise.all([...records.values()].filter(({ url }) => !known.has(url)).map(measure));
    return urls;
  }

  const known = [...records.values()];
  const [listed] = await Promise.all([
    measureListed(new Set(records.keys())),
    ...known.map(measure),
  ]);
  // An empty list means that it could not be read, not that all its endpoints are gone.
  if (listed.length > 0) forgetDropped(records, new Set(listed));
}

function forgetDropped(records: EndpointRecords, listed: ReadonlySet<string>): void {
  for (const { url, origin, verdict } of records.values()) {
    const dropped = origin === 'chain-list' && !listed.has(url);
    if (dropped && verdict !== 'answering') records.delete(url);
  }
}
