import type { Transactional } from '../../kernel/database/database.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { rememberAnswer } from '../../kernel/wait/remembered.ts';
import {
  loadRpcEndpoints,
  replaceRpcEndpoints,
  type StoredEndpoint,
} from '../store/rpc-endpoint-store.ts';
import { type ChainList, type Fetch, normalizeUrl } from './chain-list.ts';
import { probeEndpoint } from './probe-endpoint.ts';
import {
  type EndpointOrigin,
  type EndpointRecord,
  rankEndpoints,
  recordOutcome,
} from './rank-endpoints.ts';

const hourMs = 3_600_000;

/** Where nothing answered, the network may soon be back. */
const retryMs = 60_000;

/** A chain that nobody has asked for in this time is not measured. */
const idleAfterMs = 24 * hourMs;

export type ChainEndpointsOptions = {
  readonly chain: RpcChain;
  readonly chainList: ChainList;
  readonly database: Transactional;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  /** Fires when the process ends. */
  readonly signal: AbortSignal;
  /** Called for failures that nobody waits for, such as storing a list. */
  readonly onProblem: (problem: unknown) => void;
  /** Called each time the endpoints of the chain have been measured. */
  readonly onRefreshed?: (chainId: number) => void;
};

/** The endpoints of one chain and what was measured of them. */
type ChainEndpoints = {
  /** What is known now, without a request or a wait. */
  known(): readonly EndpointRecord[];
  /**
   * What is known once it is usable: all of the operator's own have been tried, and at least one
   * endpoint answered, now or before the last restart. Starts a measurement if one is due.
   */
  ask(): Promise<readonly EndpointRecord[]>;
  /** What is known after every endpoint has been measured once more. */
  measure(): Promise<readonly EndpointRecord[]>;
  /** Measures again if that is due and the chain is in use. Settles with the one under way. */
  refreshIfDue(): Promise<void>;
};

export function createChainEndpoints(options: ChainEndpointsOptions): ChainEndpoints {
  const { chain, database, clock, random, signal, onProblem } = options;
  const { chainId } = chain;
  const records: EndpointRecords = new Map();
  addUntried(records, { urls: chain.own, origin: 'settings' });
  addUntried(records, { urls: chain.registered, origin: 'registry' });

  const restored = rememberAnswer({ clock, ask: restore });
  let underWay: { readonly settled: Promise<void>; readonly done: Promise<void> } | undefined;
  let dueAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function restore(): Promise<void> {
    for (const { measuredAt, ...stored } of await loadRpcEndpoints(database, chainId)) {
      if (records.get(stored.url)?.origin === 'settings') continue;
      records.set(stored.url, { ...stored, verdict: 'answering' });
      dueAt = measuredAt + hourMs;
    }
  }

  function isDue(): boolean {
    return !underWay && !signal.aborted && clock.now() >= dueAt;
  }

  function start(): void {
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    const onMeasured = () => {
      if (isSettled(records)) resolve();
    };
    const done = onBehalfOfAll(() => refresh(onMeasured)).catch(onProblem);
    underWay = { settled, done };
    void done.then(() => {
      underWay = undefined;
      resolve();
    });
  }

  async function refresh(onMeasured: () => void): Promise<void> {
    await refreshEndpoints(records, { ...options, chainId, onMeasured });
    const jitter = 0.9 + 0.2 * random.fraction();
    dueAt = clock.now() + (isSettled(records) ? hourMs * jitter : retryMs);
    const good = goodEndpoints(records, clock.now());
    if (signal.aborted) return;
    if (good.length > 0) await replaceRpcEndpoints(database, chainId, good);
    options.onRefreshed?.(chainId);
  }

  async function open(): Promise<void> {
    askedAt = clock.now();
    await restored.get();
  }

  return {
    known: () => [...records.values()],

    async ask() {
      await open();
      if (isDue()) start();
      if (!isSettled(records)) await underWay?.settled;
      return [...records.values()];
    },

    async measure() {
      await open();
      if (!underWay && !signal.aborted) start();
      await underWay?.done;
      return [...records.values()];
    },

    async refreshIfDue() {
      if (isDue() && clock.now() - askedAt < idleAfterMs) start();
      await underWay?.done;
    },
  };
}

function isSettled(records: EndpointRecords): boolean {
  const all = [...records.values()];
  const isUntriedOwn = ({ origin, verdict }: EndpointRecord) =>
    origin === 'settings' && verdict === 'untried';
  return all.some(({ verdict }) => verdict === 'answering') && !all.some(isUntriedOwn);
}

/** What is worth keeping for the next start: never the operator's own, which may carry secrets. */
function goodEndpoints(records: EndpointRecords, measuredAt: number): readonly StoredEndpoint[] {
  return rankEndpoints([...records.values()]).flatMap((record) => {
    const { url, origin, verdict, errorRate, latencyMs, headAgeMs } = record;
    if (origin === 'settings' || verdict !== 'answering') return [];
    if (latencyMs === undefined || headAgeMs === undefined) return [];
    return { url, origin, errorRate, latencyMs, headAgeMs, measuredAt };
  });
}

/** Endpoints of one chain by URL, in the order in which they became known. */
type EndpointRecords = Map<string, EndpointRecord>;

/** Adds endpoints that are not known yet; one from the settings keeps that origin in every list. */
function addUntried(
  records: EndpointRecords,
  { urls, origin }: { urls: readonly string[]; origin: EndpointOrigin },
): void {
  for (const url of urls.map(normalizeUrl)) {
    if (!records.has(url)) records.set(url, { url, origin, verdict: 'untried', errorRate: 0 });
  }
}

type Refresh = {
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
async function refreshEndpoints(records: EndpointRecords, refresh: Refresh): Promise<void> {
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

/** The endpoints that a chain starts out with. */
export type RpcChain = {
  readonly chainId: number;
  /** From the settings, in the operator's order. They may carry credentials. */
  readonly own: readonly string[];
  /** From the registry of deployments. */
  readonly registered: readonly string[];
  /**
   * Set for the development chain: it starts fresh each time, so nothing stored or listed anywhere is true of it, and
   * nothing is measured. This server asks it at `own`, and names `registered` to others.
   */
  readonly development?: true;
};
