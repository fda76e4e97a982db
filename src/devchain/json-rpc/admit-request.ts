import { type Hex, numberToHex, parseTransaction } from 'viem';
import { devchainLimits } from '../limits.ts';
import { EvmRequestError } from './evm-request-error.ts';
import { drivingMethods, readingMethods } from './rpc-methods.ts';

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
