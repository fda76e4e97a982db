import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  OSAKA,
  type Provider,
} from '@nomicfoundation/edr';
import { type Hex, hexToBytes } from 'viem';
import type { JsonRpcErrorObject, RpcRequest } from '../json-rpc/admit-request.ts';
import { devchainLimits } from '../limits.ts';
import {
  closedMessage,
  createEvm,
  type Evm,
  failedOutcome,
  isFailedOutcome,
} from './create-evm.ts';
import { type TestAccount, testAccounts } from './test-accounts.ts';

export type { Evm };

/** As on Ethereum mainnet since November 2025. */
const blockGasLimit = BigInt(devchainLimits.blockGas.value);
/** The gas that go-ethereum gives a call which names none. */
const defaultCallGas = 50_000_000n;
const baseFeePerGas = 1_000_000_000n;

const mostOfAnswer = devchainLimits.answer.value;
const tooLargeMessage = `The answer is too large, over ${mostOfAnswer} characters: ask for less at once.`;

// EDR wants one context a process. This module is loaded on demand, when the first chain opens.
const context = new EdrContext();
await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());

/**
 * Opens an empty chain in this process, on which `accounts` are unlocked and hold `balance` wei each. It mines a block
 * for each transaction as it comes, at the time of the wall clock and a base fee of 1 gwei; one that
 * fails is mined with status 0, as on a public chain. Failed calls answer in go-ethereum's form: code 3
 * with the revert data. The rules are those of the Osaka fork without its cap on the gas of one
 * transaction, which EDR would apply to `eth_call` too.
 */
export async function openEvm({
  chainId,
  accounts = testAccounts,
  balance = 10n ** 22n,
}: {
  chainId: number;
  accounts?: readonly TestAccount[];
  balance?: bigint;
}): Promise<Evm> {
  let provider: Provider | undefined = await createProvider({ chainId, accounts, balance });

  async function run(request: RpcRequest): Promise<string> {
    if (provider === undefined)
      return failedOutcome({ code: -32000, message: closedMessage(chainId) });
    const call = JSON.stringify({ jsonrpc: '2.0', id: 0, ...request });
    const { data } = await provider.handleRequest(call);
    // EDR gives an object instead of text only where the text would exceed the longest string.
    const outcome =
      typeof data === 'string' && isFailedOutcome(data) ? failedOutcome(readError(data)) : data;
    // What the call returned, reverted with or logged is somebody's code: its length is bounded before it is sent [F95].
    return typeof outcome === 'string' && outcome.length <= mostOfAnswer
      ? outcome
      : failedOutcome({ code: -32000, message: tooLargeMessage });
  }

  return createEvm({
    chainId,
    run,
    close() {
      provider = undefined;
    },
  });
}

function createProvider({
  chainId,
  accounts,
  balance,
}: {
  chainId: number;
  accounts: readonly TestAccount[];
  balance: bigint;
}): Promise<Provider> {
  return context.createProvider(
    L1_CHAIN_TYPE,
    {
      chainId: BigInt(chainId),
      networkId: BigInt(chainId),
      hardfork: OSAKA,
      genesisState: [
        ...l1GenesisState(l1HardforkFromString(OSAKA)),
        ...accounts.map(({ address }) => ({ address: hexToBytes(address), balance })),
      ],
      ownedAccounts: accounts.map(({ privateKey }) => privateKey),
      network: {
        genesisBlockGasLimit: blockGasLimit,
        genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
      },
      mining: { autoMine: true, blockGasLimit, memPool: { order: MineOrdering.Fifo } },
      // Otherwise each block within a second would push the chain one more second into the future.
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: defaultCallGas,
      transactionGasCap: false,
      initialBaseFeePerGas: baseFeePerGas,
      // Blocks of one transaction would soon lower the fee to nothing: so large a divisor keeps it.
      baseFeeConfig: [
        {
          activation: { blockNumber: 0n },
          maxChangeDenominator: 10n ** 18n,
          elasticityMultiplier: 2n,
        },
      ],
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      observability: {},
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  );
}

/** EDR's error in the form that public nodes use, and without its echo of the whole request. */
function readError(outcome: string): JsonRpcErrorObject {
  const { code, message, data } = JSON.parse(outcome).error;
  const revertData: Hex | undefined = data?.reason?.Revert;
  if (revertData === undefined) return { code, message };
  const reason = /^reverted with reason string '(.*)'$/s.exec(message)?.[1];
  return {
    code: 3,
    message: reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`,
    data: revertData,
  };
}
