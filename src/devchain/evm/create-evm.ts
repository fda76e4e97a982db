import { createTurnstile } from '../../kernel/turnstile.ts';
import type { RpcRequest } from '../json-rpc/admit-request.ts';
import { answerJsonRpc } from '../json-rpc/answer-json-rpc.ts';
import { EvmRequestError, type JsonRpcErrorObject } from '../json-rpc/evm-request-error.ts';
import { devchainLimits } from '../limits.ts';

/** An Ethereum node. */
export type Evm = {
  readonly chainId: number;
  /** One call as in EIP-1193: resolves to the result, rejects with an `EvmRequestError`. */
  request(call: { method: string; params?: unknown }): Promise<unknown>;
  /** The outcome of one request as JSON text: `{"result":…}` or `{"error":{…}}`. */
  answer(request: RpcRequest, signal?: AbortSignal): Promise<string>;
  /**
   * Takes the text of a JSON-RPC request or batch, and returns the text of the response. `admit` returns each
   * request in the form in which to carry it out, or throws an `EvmRequestError`; without it all are carried out.
   * Calls that still wait for their turn when the signal fires are not carried out.
   */
  handle(jsonRpc: string, options?: HandleOptions): Promise<string>;
  /** Releases the chain and its memory; later requests are refused. */
  close(): void;
};

export type HandleOptions = {
  readonly admit?: (request: RpcRequest) => RpcRequest;
  readonly signal?: AbortSignal;
};

const noPushMessage =
  'eth_subscribe needs a connection that stays open: poll with eth_newBlockFilter or eth_newFilter.';

const leftMessage = 'The caller disconnected before its call ran.';

const tooManyMessage = `More than ${devchainLimits.callsWaiting.value} calls wait for the development chain: send fewer at once.`;

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
  // EDR holds the state of every call that it has begun; two keep it busy [D5].
  const turns = createTurnstile(devchainLimits.callsAtOnce.value);

  async function answer(request: RpcRequest, signal?: AbortSignal): Promise<string> {
    if (request.method === 'eth_subscribe') {
      return failedOutcome({ code: -32004, message: noPushMessage });
    }
    if (turns.waiting >= devchainLimits.callsWaiting.value) {
      return failedOutcome({ code: -32005, message: tooManyMessage });
    }
    const pass = turns.pass(() => run(request), { signal });
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
    handle: (jsonRpc, { admit = (request: RpcRequest) => request, signal } = {}) =>
      answerJsonRpc(jsonRpc, async (request) => {
        try {
          return await answer(admit(request), signal);
        } catch (error) {
          if (!(error instanceof EvmRequestError)) throw error;
          return failedOutcome({ code: error.code, message: error.message });
        }
      }),
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
