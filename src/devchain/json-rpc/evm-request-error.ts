/**
 * What a failed JSON-RPC request rejects with, in the shape of EIP-1193's `ProviderRpcError`, so that
 * viem and other clients read `code` and the revert `data` from it as from any wallet. It stays inside
 * the development chain and its tests: callers of Tradewind never see it.
 */
export class EvmRequestError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(error: JsonRpcErrorObject) {
    super(error.message);
    this.name = 'EvmRequestError';
    this.code = error.code;
    this.data = error.data;
  }
}

export type JsonRpcErrorObject = {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
};
