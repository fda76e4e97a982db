import type { Hex } from 'viem';
import {
  decodeFunctionResult,
  encodeFunctionData,
  hexToBytes,
  parseAbi,
  serializeTransaction,
} from 'viem/utils';
import type { Call, CallOutcome } from '../chain/chain-reader.ts';
import type { ChainDeployment } from '../deployments/deployment.ts';
import type { Address } from '../model.ts';
import type { TransactionCall } from '../swap-order.ts';

/**
 * The gas limit of a transaction whose call needs `callGas`: it adds what every transaction pays
 * (EIP-2028, EIP-7623) and two percent. Between the block that was read and the one that includes the
 * transaction, a price may cross a tick or a slot may turn from zero.
 */
export function gasLimit(data: Hex, callGas: bigint): bigint {
  const bytes = hexToBytes(data);
  const zeros = BigInt(bytes.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0));
  const tokens = zeros + (BigInt(bytes.length) - zeros) * 4n;
  const needed = 21_000n + tokens * 4n + callGas;
  const floor = 21_000n + tokens * 10n;
  const limit = needed > floor ? needed : floor;
  return limit + limit / 50n;
}

type FeeModel = NonNullable<ChainDeployment['l1Fee']>;

const abi = parseAbi([
  'function getL1Fee(bytes data) view returns (uint256)',
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gas, uint256 baseFee, uint256 l1BaseFee)',
]);

// Predeployed contracts: GasPriceOracle of the OP stack, L1GasPriceOracle of Scroll, NodeInterface of Arbitrum.
const oracles = {
  'op-stack': '0x420000000000000000000000000000000000000F',
  scroll: '0x5300000000000000000000000000000000000002',
  arbitrum: '0x00000000000000000000000000000000000000C8',
} as const satisfies Record<FeeModel, string>;

/** What publishing a transaction to the parent chain costs: wei on top, and gas inside the limit. */
export type L1Cost = { readonly fee: bigint; readonly gas: bigint };

/** The call that asks the chain what publishing a transaction with this call costs. */
export function l1FeeCall(model: FeeModel, call: TransactionCall): Call {
  const { to, data } = call;
  const oracle = oracles[model] as Address; // constants above, in checksummed form
  return {
    to: oracle,
    data:
      model === 'arbitrum'
        ? encodeFunctionData({
            abi,
            functionName: 'gasEstimateL1Component',
            args: [to, false, data],
          })
        : encodeFunctionData({ abi, functionName: 'getL1Fee', args: [serialize(call)] }),
  };
}

/** The transaction as it is published, to the byte in size: its figures are as long as real ones. */
function serialize({ to, data, value }: TransactionCall) {
  const gwei = 1_000_000_000n;
  return serializeTransaction({
    ...{ type: 'eip1559', chainId: 1, nonce: 1_000, gas: 1_000_000n, to, data, value },
    ...{ maxFeePerGas: gwei, maxPriorityFeePerGas: gwei },
  });
}

/** The cost in the outcome of {@link l1FeeCall}; undefined if the chain does not report it. */
export function readL1Cost(model: FeeModel, outcome: CallOutcome | undefined): L1Cost | undefined {
  if (outcome?.status !== 'returned' || outcome.data === '0x') return undefined;
  if (model === 'arbitrum') {
    const functionName = 'gasEstimateL1Component';
    const [gas, baseFee] = decodeFunctionResult({ abi, functionName, data: outcome.data });
    return { gas, fee: gas * baseFee };
  }
  return {
    gas: 0n,
    fee: decodeFunctionResult({ abi, functionName: 'getL1Fee', data: outcome.data }),
  };
}
