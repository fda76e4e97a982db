import type { Clock } from '../../../kernel/wait/clock.ts';
import { isBlockUnknown, SwapError } from '../../model.ts';
import type { BlockReference, CallOptions, CallOutcome, ChainReader } from '../chain-reader.ts';
import { type Ask, askEndpoints } from './ask-endpoints.ts';
import { latestBlockRequests, readLogs, writeLogsRequest } from './blocks-and-logs.ts';
import { callAtBlock } from './call-at-block.ts';
import { createEndpoint, type RpcEndpoint } from './endpoint.ts';
import { createHeadReader } from './head-reader.ts';
import { type EndpointFailure, isFailure } from './rpc-failures.ts';
import type { RpcTransport } from './rpc-transport.ts';

/**
 * Reads a chain through JSON-RPC endpoints, best first; `endpointUrls` is called before each read, so
 * that a new ranking takes effect at once. What the reader learns of an endpoint is kept while the
 * endpoint is listed.
 *
 * Each read comes whole from one endpoint and takes at most `budgetMs`. The reader fails over from an
 * endpoint, and leaves it out for a while, if the endpoint serves another chain, lags more than
 * `toleratedLag` blocks behind another one, answers garbage, limits us, hangs or drops the connection
 * [Q16].
 */
export function createJsonRpcChainReader(options: ChainReaderOptions): ChainReader {
  const { chainId, endpointUrls, clock, budgetMs = 10_000, toleratedLag = 4n } = options;
  const heads = createHeadReader({ ...options, toleratedLag });
  let known: ReadonlyMap<string, RpcEndpoint> = new Map();

  function endpoints(): readonly RpcEndpoint[] {
    const open = (url: string) => known.get(url) ?? createEndpoint({ ...options, url });
    known = new Map(endpointUrls().map((url) => [url, open(url)]));
    return [...known.values()];
  }

  /** Of a read at a block it notes whether an endpoint could answer for that block [F66]. */
  async function askAll<T extends object>(at: Asked, ask: Ask<T>): Promise<T> {
    const { block, signal } = at;
    try {
      const context = { chainId, clock, budgetMs, signal };
      const answer = await askEndpoints({ ...context, endpoints: endpoints(), ask });
      if (block) heads.vouchFor(block.hash);
      return answer;
    } catch (error) {
      if (block && isBlockUnknown(error)) heads.disown(block.hash);
      throw error;
    }
  }

  return {
    chainId,

    latestBlock({ signal } = {}) {
      const compared = heads.compare(endpoints);
      return askAll({ signal }, async (endpoint, attemptSignal) => {
        const block = await heads.ask(endpoint, attemptSignal);
        if (isFailure(block)) return block;
        await compared;
        return heads.doubt(block) ?? block;
      });
    },

    async call(calls, { block, check, signal }) {
      if (calls.length === 0) return [];
      return askAll({ block, signal }, async (endpoint, attemptSignal) => {
        const answered = await callAtBlock(endpoint, { calls, block, signal: attemptSignal });
        return isFailure(answered) ? answered : accept(answered.outcomes, check);
      });
    },

    callWithHead(calls, { block, check, signal }) {
      const compared = heads.compare(endpoints);
      return askAll({ block, signal }, async (endpoint, attemptSignal) => {
        const asked = { calls, block, beside: latestBlockRequests, signal: attemptSignal };
        const answered = await callAtBlock(endpoint, asked);
        if (isFailure(answered)) return answered;
        const outcomes = accept(answered.outcomes, check);
        if (isFailure(outcomes)) return outcomes;
        const head = heads.read(endpoint, answered.beside);
        if (isFailure(head)) return head;
        await compared;
        return heads.doubt(head) ?? { outcomes, head };
      });
    },

    async logs(addresses, { block, signal }) {
      if (addresses.length === 0) return [];
      const { logs } = await askAll({ block, signal }, async (endpoint, attemptSignal) => {
        const answers = await endpoint.send([writeLogsRequest(addresses, block)], attemptSignal);
        return isFailure(answers) ? answers : readLogs(answers[0], { addresses, block });
      });
      return logs;
    },
  };
}

type ChainReaderOptions = {
  chainId: number;
  endpointUrls: () => readonly string[];
  transport: RpcTransport;
  clock: Clock;
  budgetMs?: number;
  toleratedLag?: bigint;
  /** Set for the chain that this process runs itself: it may be busy, but has no quota to leave it alone for. */
  isOurs?: boolean | undefined;
  /** In wei, where gas costs more than elsewhere. */
  highestGasPrice?: bigint | undefined;
};

type Asked = { readonly block?: BlockReference; readonly signal: AbortSignal | undefined };

/** The outcomes, unless they cannot be what was asked for [F67]. */
function accept(
  outcomes: readonly CallOutcome[],
  check: CallOptions['check'],
): readonly CallOutcome[] | EndpointFailure {
  try {
    check?.(outcomes);
    return outcomes;
  } catch (error) {
    // Decoders throw errors of their own, whose texts may repeat what the endpoint sent.
    const told = error instanceof SwapError ? error.message : 'the answer cannot be decoded';
    return { reason: 'garbage', message: told };
  }
}
