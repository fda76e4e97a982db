import type { Abi, DecodeEventLogReturnType, Hex } from 'viem';
import { decodeEventLog } from 'viem/utils';
import type { Address } from '../model.ts';

/**
 * A chain as a quote reads it: the newest block once, then everything at that block. Reads name their
 * block by hash, so that neither a reorganisation nor a node behind the others can mix two states.
 *
 * Every method throws `SwapError` `UPSTREAM_ERROR` when the chain cannot be read; its details then hold
 * `attempts`, and `blockUnknown: true` when no endpoint has the named block, not yet or no longer.
 */
export type ChainReader = {
  readonly chainId: number;
  latestBlock(options?: ReadOptions): Promise<Block>;
  /** Runs each call on the state after the block. A revert is an outcome, not an error. */
  call(calls: readonly Call[], options: CallOptions): Promise<readonly CallOutcome[]>;
  /** Like `call`, and also reads the newest block, in the same request if the node takes batches. */
  callWithHead(
    calls: readonly Call[],
    options: CallOptions,
  ): Promise<{ readonly outcomes: readonly CallOutcome[]; readonly head: Block }>;
  /** What these contracts logged in the block, in order. */
  logs(
    addresses: readonly Address[],
    options: ReadOptions & { block: BlockReference },
  ): Promise<readonly Log[]>;
};

export type ReadOptions = { readonly signal?: AbortSignal };

export type CallOptions = ReadOptions & {
  readonly block: BlockReference;
  /** Throws where the outcomes cannot be what was asked for: then the next endpoint is asked [F67]. */
  check?(outcomes: readonly CallOutcome[]): void;
};

export type BlockReference = { readonly number: bigint; readonly hash: Hex };

export type Block = BlockReference & {
  readonly parentHash: Hex;
  /** Seconds since the epoch. */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  /** Absent on chains without EIP-1559. */
  readonly baseFeePerGas?: bigint;
  /** The gas price that the node suggests for the next block, in wei. */
  readonly gasPrice: bigint;
};

export type Call = {
  readonly from?: Address;
  /** Without a receiver, `data` runs as the constructor of a contract that is never deployed. */
  readonly to?: Address;
  readonly data: Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
  readonly overrides?: StateOverrides;
};

/** State overrides for one call. A named slot replaces the stored one; others stay. */
export type StateOverrides = Readonly<Record<Address, AccountOverride>>;

type AccountOverride = {
  readonly balance?: bigint;
  readonly code?: Hex;
  readonly slots?: Readonly<Record<Hex, Hex>>;
};

export type CallOutcome =
  | { readonly status: 'returned'; readonly data: Hex }
  /** The contract reverted or ran out of gas, or the answer was longer than the node sends. */
  | { readonly status: 'failed'; readonly data: Hex; readonly reason: string }
  /** The node takes no state overrides. */
  | { readonly status: 'unsupported' };

export type Log = {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
};

/** Runs calls and decodes their outcomes. Where `decode` throws, the endpoint has failed, and the next one is asked [F67]. */
export async function readCalls<T>(
  reader: Pick<ChainReader, 'call'>,
  calls: readonly Call[],
  options: ReadOptions & { block: BlockReference; decode(outcomes: readonly CallOutcome[]): T },
): Promise<T> {
  const { decode, ...at } = options;
  const { check, decoded } = decodeOnce(decode);
  return decoded(await reader.call(calls, { ...at, check }));
}

/** A check that decodes, and what it has decoded of the outcomes that were accepted. */
export function decodeOnce<T>(decode: (outcomes: readonly CallOutcome[]) => T): {
  check(outcomes: readonly CallOutcome[]): void;
  decoded(outcomes: readonly CallOutcome[]): T;
} {
  const known = new Map<readonly CallOutcome[], { readonly value: T }>();
  return {
    check: (outcomes) => void known.set(outcomes, { value: decode(outcomes) }),
    decoded: (outcomes) => (known.get(outcomes) ?? { value: decode(outcomes) }).value,
  };
}

/** The log as an event of the ABI; undefined if it is none of them. */
export function decodeLog<const Events extends Abi>(
  abi: Events,
  { topics, data }: Log,
): DecodeEventLogReturnType<Events> | undefined {
  const [signature, ...indexed] = topics;
  if (signature === undefined) return undefined;
  try {
    return decodeEventLog({ abi, topics: [signature, ...indexed], data });
  } catch {
    // viem throws for a foreign signature and for data of another shape: neither is one of ours.
    return undefined;
  }
}
