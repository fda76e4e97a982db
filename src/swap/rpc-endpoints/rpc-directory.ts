import { patienceWithWorker, type Worker } from '../../kernel/process/worker.ts';
import { orAborted } from '../../kernel/wait/cancel.ts';
import {
  type ChainEndpointsOptions,
  createChainEndpoints,
  type RpcChain,
} from './chain-endpoints.ts';
import { createChainList, isOpenUrl } from './chain-list.ts';
import { type EndpointRecord, rankEndpoints } from './rank-endpoints.ts';

/** How late the worker may notice that a chain is due. */
const lookEveryMs = 60_000;

export type RpcDirectoryOptions = Omit<
  ChainEndpointsOptions,
  'chain' | 'chainList' | 'signal' | 'onRefreshed'
> & {
  readonly chains: readonly RpcChain[];
};

/** Which RPC endpoints to use for a chain, and which to recommend. A chain that is not served has none. */
export type RpcDirectory = {
  /**
   * Every usable endpoint in the order of use, the operator's own first. Last come those of the operator's own that
   * serve another chain: the reader, which checks that too, gives no answer of them, but says so where all others fail.
   * The first question about a chain waits until one has answered; the list is empty or unproved when none does.
   */
  endpointsOf(chainId: number, signal?: AbortSignal): Promise<readonly string[]>;
  /** `rpcUrls`: at most five open endpoints, the best first. Waits as `endpointsOf` does. */
  recommendedUrls(chainId: number, signal?: AbortSignal): Promise<readonly string[]>;
  /** The same from what is known already, for naming chains that nobody has asked for yet. */
  knownUrls(chainId: number): readonly string[];
  /** What is known of each endpoint of a chain, in the order of use, and after them those that are not used. The development chain is not measured. */
  known(chainId: number): readonly EndpointRecord[];
  /**
   * Measures every endpoint of a chain now and returns what is known of each, for diagnosis. The URLs of the
   * operator's own may carry credentials: show no more of them than the host.
   */
  measure(chainId: number, signal?: AbortSignal): Promise<readonly EndpointRecord[]>;
  /** Calls back after each measurement of a chain's endpoints, until the returned function is called. */
  onRefreshed(listener: (chainId: number) => void): () => void;
  /** Measures the chains in use again every hour, and ends all measurements when it stops. */
  readonly worker: Worker;
};

/**
 * Keeps the RPC endpoints of all served chains: those of the settings, of the registry and of the
 * public chain list, measured and ranked. Nothing is asked of the network before a chain is first
 * asked for, so that a start without internet is quick and quiet.
 */
export function createRpcDirectory({ chains, ...options }: RpcDirectoryOptions): RpcDirectory {
  const lifetime = new AbortController();
  const { fetch, clock } = options;
  const listeners = new Set<(chainId: number) => void>();
  const shared = {
    ...options,
    onRefreshed(chainId: number) {
      for (const listener of listeners) listener(chainId);
    },
    chainList: createChainList({ fetch, clock }),
    signal: lifetime.signal,
  };
  const development = new Map(
    chains.filter((chain) => chain.development).map((chain) => [chain.chainId, chain]),
  );
  const measured = new Map(
    chains
      .filter((chain) => !chain.development)
      .map((chain) => [chain.chainId, createChainEndpoints({ ...shared, chain })]),
  );

  const nothing: Promise<readonly EndpointRecord[]> = Promise.resolve([]);

  async function ask(chainId: number, signal?: AbortSignal): Promise<readonly EndpointRecord[]> {
    return orAborted(measured.get(chainId)?.ask() ?? nothing, signal);
  }

  function known(chainId: number): readonly EndpointRecord[] {
    const records = measured.get(chainId)?.known() ?? [];
    const used = rankEndpoints(records);
    return [...used, ...records.filter((record) => !used.includes(record))];
  }

  return {
    async endpointsOf(chainId, signal) {
      const own = development.get(chainId)?.own;
      if (own !== undefined) return own;
      const records = await ask(chainId, signal);
      return [...rankEndpoints(records), ...records.filter(isMistaken)].map(({ url }) => url);
    },

    async recommendedUrls(chainId, signal) {
      const { registered } = development.get(chainId) ?? {};
      return registered ?? recommendUrls(await ask(chainId, signal));
    },

    knownUrls(chainId) {
      const { registered } = development.get(chainId) ?? {};
      return registered ?? recommendUrls(measured.get(chainId)?.known() ?? []);
    },

    known,

    async measure(chainId, signal) {
      return orAborted(measured.get(chainId)?.measure() ?? nothing, signal);
    },

    onRefreshed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    worker: {
      name: 'rpc-directory',
      movesWithin: lookEveryMs + patienceWithWorker,
      async run(signal, move = () => {}) {
        while (!signal.aborted) {
          move();
          for (const chain of measured.values()) void chain.refreshIfDue();
          await clock.sleep(lookEveryMs, signal);
        }
        lifetime.abort();
        await Promise.all([...measured.values()].map((chain) => chain.refreshIfDue()));
      },
    },
  };
}

/** Whether the operator named it for this chain, and it serves another. */
function isMistaken({ origin, verdict }: EndpointRecord): boolean {
  return origin === 'settings' && verdict === 'wrong-chain';
}

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
