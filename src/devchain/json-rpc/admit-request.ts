import { type Hex, numberToHex, parseTransaction } from 'viem';
import { devchainLimits } from '../limits.ts';

/** Cheap, harmless methods of the chain: pages of every origin may call them. */
export const readingMethods: ReadonlySet<string> = new Set([
  'eth_accounts',
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_chainId',
  'eth_coinbase',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
  'net_listening',
  'net_peerCount',
  'net_version',
  'web3_clientVersion',
]);

/**
 * Methods that compute, store or change something, for programs on this machine. Left out on purpose are
 * `hardhat_reset`, which makes the node call an address of the caller's choice, and `debug_*`, whose
 * answers have no bounded size.
 */
export const drivingMethods: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_pendingTransactions',
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTypedData_v4',
  'eth_subscribe',
  'eth_uninstallFilter',
  'evm_increaseTime',
  'evm_mine',
  'evm_revert',
  'evm_setAutomine',
  'evm_setBlockGasLimit',
  'evm_setIntervalMining',
  'evm_setNextBlockTimestamp',
  'evm_snapshot',
  'hardhat_dropTransaction',
  'hardhat_getAutomine',
  'hardhat_impersonateAccount',
  'hardhat_metadata',
  'hardhat_mine',
  'hardhat_setBalance',
  'hardhat_setCode',
  'hardhat_setCoinbase',
  'hardhat_setMinGasPrice',
  'hardhat_setNextBlockBaseFeePerGas',
  'hardhat_setNonce',
  'hardhat_setPrevRandao',
  'hardhat_setStorageAt',
  'hardhat_stopImpersonatingAccount',
  'personal_sign',
  'web3_sha3',
]);

/** Those of them that change the chain or the node: they are repeated where the chain is built again. */
export const changingMethods: ReadonlySet<string> = new Set([
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  ...[...drivingMethods].filter((method) => isChanging(method)),
]);

function isChanging(method: string): boolean {
  const isReading = method === 'hardhat_getAutomine' || method === 'hardhat_metadata';
  return /^(evm|hardhat)_/.test(method) && !isReading;
}

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

export type RpcRequest = { readonly method: string; readonly params: unknown };

const mostGas = BigInt(devchainLimits.gas.value);
const mostBlockGas = BigInt(devchainLimits.blockGas.value);
const shortestInterval = devchainLimits.miningInterval.value;

/**
 * The request in the form in which the node may carry it out: of a method on the list, and with at
 * most the gas of the cap, which is also the default (F14). A foreign page may only read: else it
 * could drive the chain, or the machine, without a person (N2). Does not check parameters any
 * further. Throws an `EvmRequestError`.
 */
export function admitRequest(request: RpcRequest, isForeignPage: boolean): RpcRequest {
  const { method } = request;
  if (readingMethods.has(method)) return request;
  if (!drivingMethods.has(method)) {
    throw refuse(-32004, `The development chain does not offer ${method.slice(0, 60)}.`);
  }
  if (isForeignPage) {
    throw refuse(
      -32004,
      `Pages of other origins may read the development chain, not call ${method}: use a wallet or a program, or name the origin in TRADEWIND_ALLOWED_ORIGINS.`,
    );
  }
  return bounds[method]?.(request) ?? request;
}

const bounds: Readonly<Record<string, (request: RpcRequest) => RpcRequest>> = {
  eth_call: capGas,
  eth_estimateGas: capGas,
  eth_sendTransaction: capGas,
  eth_sendRawTransaction(request) {
    checkGas(gasOfSigned(listOf(request)[0]));
    return request;
  },
  evm_setBlockGasLimit(request) {
    const gas = readQuantity(listOf(request)[0]);
    if (gas === undefined || gas <= mostBlockGas) return request;
    throw refuse(-32602, `A block of ${gas} gas is over ${mostBlockGas}: choose a smaller limit.`);
  },
  evm_setIntervalMining(request) {
    const tooShort = listOf(request)
      .flat()
      .find((interval) => Number(interval) > 0 && Number(interval) < shortestInterval);
    if (tooShort === undefined) return request;
    throw refuse(
      -32602,
      `An interval of ${tooShort} ms is under ${shortestInterval}: choose a longer one.`,
    );
  },
};

/** Sets the cap as the gas of a transaction that names none. */
function capGas(request: RpcRequest): RpcRequest {
  const [transaction, ...others] = listOf(request);
  if (typeof transaction !== 'object' || transaction === null) return request;
  const { gas, gasLimit } = transaction as { gas?: unknown; gasLimit?: unknown }; // read as unknown
  for (const named of [gas, gasLimit]) checkGas(readQuantity(named));
  if (gas !== undefined && gas !== null) return request;
  return { ...request, params: [{ ...transaction, gas: numberToHex(mostGas) }, ...others] };
}

function checkGas(gas: bigint | undefined): void {
  if (gas === undefined || gas <= mostGas) return;
  throw refuse(-32602, `Gas of ${gas} is over ${mostGas}, the most for one transaction or call.`);
}

/** Undefined for anything but a signed transaction: the node refuses that. */
function gasOfSigned(signed: unknown): bigint | undefined {
  try {
    return parseTransaction(signed as Hex).gas;
  } catch {
    return undefined;
  }
}

function listOf({ params }: RpcRequest): readonly unknown[] {
  return Array.isArray(params) ? params : [];
}

function readQuantity(value: unknown): bigint | undefined {
  try {
    return typeof value === 'string' || typeof value === 'number' ? BigInt(value) : undefined;
  } catch {
    return undefined;
  }
}

function refuse(code: number, message: string): EvmRequestError {
  return new EvmRequestError({ code, message });
}
