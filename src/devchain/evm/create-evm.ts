import { createQueue } from '../../kernel/wait/queue.ts';
import {
  EvmRequestError,
  type JsonRpcErrorObject,
  type RpcRequest,
} from '../json-rpc/admit-request.ts';
import { answerJsonRpc, type KeepAnswer } from '../json-rpc/answer-json-rpc.ts';
import type { Full } from '../json-rpc/serve-json-rpc.ts';
import { devchainLimits } from '../limits.ts';

/** An Ethereum node. */
export type Evm = {
  readonly chainId: number;
  /** One call as in EIP-1193: resolves to the result, rejects with an `EvmRequestError`. */
  request(call: { method: string; params?: unknown }): Promise<unknown>;
  /** The outcome of one request as JSON text: `{"result":…}` or `{"error":{…}}`. */
  answer(request: RpcRequest, options?: AnswerOptions): Promise<string>;
  /** Why there is no place for one more call of this caller to wait. */
  full(caller?: string): Full | undefined;
  /**
   * Takes the text of a JSON-RPC request or batch, and returns the text of the response. `admit` returns each
   * request in the form in which to carry it out, or throws an `EvmRequestError`; without it all are carried out.
   * Calls that still wait for their turn when the signal fires are not carried out.
   */
  handle(jsonRpc: string, options?: HandleOptions): Promise<string>;
  /** Releases the chain and its memory; later requests are refused. */
  close(): void;
};

export type AnswerOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Callers take turns, and have a share each of the calls that may wait; left out by the process itself [N23]. */
  readonly caller?: string | undefined;
};

export type HandleOptions = AnswerOptions & {
  readonly admit?: (request: RpcRequest) => RpcRequest;
  readonly keep?: KeepAnswer | undefined;
};

const noPushMessage =
  'eth_subscribe needs a connection that stays open: poll with eth_newBlockFilter or eth_newFilter.';

const leftMessage = 'The caller disconnected before its call ran.';

const { callsAtOnce, callsWaiting, callsWaitingEach } = devchainLimits;

const fullOfCaller: Full = {
  status: 429,
  message: `More than ${callsWaitingEach.value} calls of one caller wait for the development chain: send fewer at once.`,
};
const fullOfAll: Full = {
  status: 503,
  message: `More than ${callsWaiting.value} calls wait for the development chain: try again soon.`,
};

/**
 * A node on top of `run`, which carries out one request and returns its outcome as JSON. Few run at once; others
 * wait.
 */
export function createEvm(options: {
  readonly chainId: number;
  readonly run: (request: RpcRequest) => Promise<string>;
  readonly close: () => void;
}): Evm {
  const { chainId, run, close } = options;
  // EDR runs one call at a time anyway, and holds the state of every call that it has begun [D5].
  const turns = createQueue(callsAtOnce.value);

  function full(caller?: string): Full | undefined {
    if (turns.waiting >= callsWaiting.value) return fullOfAll;
    const isOver = caller !== undefined && turns.waitingOf(caller) >= callsWaitingEach.value;
    return isOver ? fullOfCaller : undefined;
  }

  async function answer(
    request: RpcRequest,
    { signal, caller }: AnswerOptions = {},
  ): Promise<string> {
    if (request.method === 'eth_subscribe') {
      return failedOutcome({ code: -32004, message: noPushMessage });
    }
    const refusal = full(caller);
    if (refusal !== undefined) return failedOutcome({ code: -32005, message: refusal.message });
    const pass = turns.pass(() => run(request), { signal, key: caller });
    return pass.catch((error: unknown) => {
      if (signal?.aborted) return failedOutcome({ code: -32000, message: leftMessage });
      throw error;
    });
  }

  return {
    chainId,
    async request({ method, params = [] }) {
      const outcome = JSON.parse(await answer({ method, params }));
      if (outcome.error !== undefined) throw new EvmRequestError(outcome.error);
      return outcome.result;
    },
    answer,
    full,
    handle(jsonRpc, { admit = (request: RpcRequest) => request, signal, caller, keep } = {}) {
      const answerAdmitted = async (request: RpcRequest) => {
        try {
          return await answer(admit(request), { signal, caller });
        } catch (error) {
          if (!(error instanceof EvmRequestError)) throw error;
          return failedOutcome({ code: error.code, message: error.message });
        }
      };
      return answerJsonRpc(jsonRpc, answerAdmitted, keep);
    },
    close,
  };
}

export function failedOutcome(error: JsonRpcErrorObject): string {
  return JSON.stringify({ error });
}

/** Whether a request was refused or failed. */
export function isFailedOutcome(outcome: string): boolean {
  return outcome.startsWith('{"error"');
}

export function closedMessage(chainId: number): string {
  return `The chain ${chainId} of this process is closed: open it again.`;
}
