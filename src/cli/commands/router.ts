import { readFileSync } from 'node:fs';
import {
  BaseError,
  createPublicClient,
  createWalletClient,
  formatEther,
  type Hex,
  HttpRequestError,
  http,
  keccak256,
  type PublicClient,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import {
  create2Deployer,
  type ExecutorBuild,
  executorBuilds,
  type FormerExecutor,
  formerExecutors,
} from '../../swap/index.ts';
import { chainsOperation } from '../../swap/wire.ts';
import type { Command, CommandInput } from '../command.ts';
import { confirm, yesOption } from '../input/confirm.ts';
import { numberFlag } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { ServerError } from '../server/server-error.ts';
import { serverOf, serverOption } from '../server/server-option.ts';
import { renderTable, showProgress } from '../terminal.ts';

const keyVariable = 'TRADEWIND_DEPLOYER_KEY';

/** `tradewind router`: checks whether a chain has our executor, and deploys it there [Q23]. */
export const routerCommand: Command = {
  operands: 'check | deploy',
  description: `The executor is the contract that executes routes across exchanges. Anyone may deploy it, and it has the same\naddress on every chain. It has no owner. Nobody but its authors has audited it.\n\n  tradewind router check --chain 8453\n  tradewind router deploy --chain 8453 --key-file deployer.key\n\nThe key is read from --key-file or ${keyVariable}, and signs this one transaction.`,
  options: {
    chain: { type: 'string', argument: '<id>', help: 'The id of the chain.' },
    'rpc-url': {
      type: 'string',
      argument: '<url>',
      help: 'The node to use. Default: TRADEWIND_RPC_<id>, else the best one that the server knows.',
    },
    'key-file': {
      type: 'string',
      argument: '<path>',
      help: `A file with the private key, in hex. Or ${keyVariable}.`,
    },
    yes: yesOption,
    server: serverOption,
    json: { type: 'boolean', help: 'Print as JSON.' },
  },
  async run(input) {
    const [action, ...rest] = input.operands;
    const chainId = numberFlag(input.flags, 'chain', { least: 1 });
    if (rest.length > 0 || (action !== 'check' && action !== 'deploy') || chainId === undefined) {
      throw new UsageError('Say what to do and where: tradewind router check --chain 8453.');
    }
    // A missing or malformed key fails here, before any request to a node.
    const account = action === 'deploy' ? readKey(input) : undefined;
    const rpcUrl = await rpcUrlOf(input, chainId);
    try {
      const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 500 });
      const found = await readExecutorOnChain(client);
      if (found.chainId !== chainId) {
        throw new ServerError(
          'WRONG_CHAIN',
          `The node belongs to chain ${found.chainId}, not ${chainId}: name another with --rpc-url.`,
        );
      }
      if (account === undefined) return showFound(input, found);
      return await deploy(input, { client, account, found, rpcUrl });
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      // The short message of viem leaves out the URL, which may hold a key.
      throw new ServerError('NODE_FAILED', explainNode(error, chainId), { cause: error });
    }
  },
};

function explainNode(error: BaseError, chainId: number): string {
  const isSilent = error.walk((cause) => cause instanceof HttpRequestError) !== null;
  return isSilent
    ? `The node of chain ${chainId} does not answer: name another with --rpc-url or TRADEWIND_RPC_${chainId}.`
    : `The node refused the transaction: ${error.shortMessage}`;
}

function showFound({ terminal, flags }: CommandInput, found: ExecutorOnChain): number {
  const { chainId, builds, former, hasDeployer, suited } = found;
  const isDeployed = builds.some(({ status }) => status === 'deployed');
  const rows = [...builds, ...former.map((one) => ({ ...one, status: 'superseded' }))].map(
    ({ name, address, status }) => [name, address, status],
  );
  const warnings = former.map(
    ({ address, fault }) =>
      `The superseded executor at ${address} ${fault}: set allowances that you gave it to zero.\n`,
  );
  const hint = hasDeployer
    ? `Deploy it with "tradewind router deploy --chain ${chainId}": the ${suited} build suits the chain.`
    : 'The public CREATE2 deployer is not on this chain, so the executor cannot be deployed here.';
  terminal.stdout.write(
    flags.json
      ? `${JSON.stringify(found)}\n`
      : `${renderTable([['BUILD', 'ADDRESS', 'STATUS'], ...rows])}${warnings.join('')}${isDeployed ? '' : `${hint}\n`}`,
  );
  return isDeployed ? 0 : 1;
}

type Deployment = {
  readonly client: PublicClient;
  readonly account: PrivateKeyAccount;
  readonly found: ExecutorOnChain;
  readonly rpcUrl: string;
};

async function deploy(input: CommandInput, deployment: Deployment): Promise<number> {
  const { client, account, found } = deployment;
  const { stderr } = input.terminal;
  const build = executorBuilds.find(({ name }) => name === found.suited);
  const before = found.builds.find(({ name }) => name === found.suited);
  if (build === undefined || before?.status === 'deployed') return showFound(input, found);
  if (!found.hasDeployer) {
    throw new ServerError(
      'NO_DEPLOYER',
      `Chain ${found.chainId} has no public CREATE2 deployer at ${create2Deployer}: deploy that first.`,
    );
  }
  const { signed, gas, cost } = await prepareCall(deployment, build.deploymentData);
  const plan = `Deploying the ${build.name} build to ${build.address} on chain ${found.chainId} from ${account.address} takes ${gas} gas, at most ${formatEther(cost)} of the native token, plus the L1 data fee if the chain is a rollup.`;
  if (input.flags.yes) stderr.write(`${plan}\n`);
  else if (!(await confirm(input, plan))) return 1;
  const hash = await client.sendRawTransaction({ serializedTransaction: signed });
  const receipt = await showProgress(stderr, `waiting for ${hash}`, () =>
    client.waitForTransactionReceipt({ hash }),
  );
  const after = await readExecutorOnChain(client);
  const isThere = after.builds.some(
    ({ name, status }) => name === build.name && status === 'deployed',
  );
  if (!isThere) {
    throw new ServerError(
      'NOT_DEPLOYED',
      `The transaction ${hash} was mined (${receipt.status}), but the code at ${build.address} is not the executor's.`,
    );
  }
  return showFound(input, after);
}

/**
 * The signed call of the deployer. It is signed before the person is asked, so the node cannot change chain or fees
 * after the answer. Throws `WRONG_CHAIN`.
 */
async function prepareCall({ account, found, rpcUrl }: Deployment, data: Hex) {
  const wallet = createWalletClient({ account, transport: http(rpcUrl) });
  const { chainId, nonce, gas, ...fees } = await wallet.prepareTransactionRequest({
    chain: null,
    to: create2Deployer,
    data,
  });
  if (chainId !== found.chainId) {
    throw new ServerError(
      'WRONG_CHAIN',
      `The node now reports chain ${chainId}, but reported chain ${found.chainId} before: name another node with --rpc-url.`,
    );
  }
  const call = { chainId, nonce, gas, to: create2Deployer, data };
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice = 0n } = fees;
  const signed = await account.signTransaction(
    maxFeePerGas === undefined
      ? { ...call, type: 'legacy', gasPrice }
      : { ...call, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas },
  );
  return { signed, gas, cost: gas * (maxFeePerGas ?? gasPrice) };
}

/** Throws {@link UsageError} without the key in its message. */
function readKey({ flags, terminal: { environment } }: CommandInput): PrivateKeyAccount {
  const path = flags['key-file'];
  const text = typeof path === 'string' ? readKeyFile(path) : (environment[keyVariable] ?? '');
  const key = text.trim().replace(/^0x/, '');
  if (/^[0-9a-fA-F]{64}$/.test(key)) return privateKeyToAccount(`0x${key}` as Hex);
  throw new UsageError(
    `Deploying needs a private key of 64 hexadecimal digits: name its file with --key-file, or set ${keyVariable}.`,
  );
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`The key file ${path} cannot be read: check its path and permissions.`);
  }
}

async function rpcUrlOf(input: CommandInput, chainId: number): Promise<string> {
  const given = input.flags['rpc-url'] ?? input.terminal.environment[`TRADEWIND_RPC_${chainId}`];
  const [own] = String(given ?? '').split(',');
  if (own) return own.trim();
  const { chains } = await serverOf(input).get(chainsOperation);
  const url = chains.find((chain) => chain.chainId === chainId)?.rpcUrls[0];
  if (url !== undefined) return url;
  throw new UsageError(
    `No node of chain ${chainId} is known: name one with --rpc-url or TRADEWIND_RPC_${chainId}.`,
  );
}

/** Which parts of the executor a chain has. */
export type ExecutorOnChain = {
  readonly chainId: number;
  readonly builds: readonly BuildOnChain[];
  /** Builds of earlier versions that are there. Nothing uses them any more, but allowances to them stay. */
  readonly former: readonly FormerExecutor[];
  /** Whether the public CREATE2 deployer is there. */
  readonly hasDeployer: boolean;
  /** Which build suits the chain: one needs transient storage (EIP-1153). */
  readonly suited: ExecutorBuild['name'];
};

export type BuildOnChain = Pick<ExecutorBuild, 'name' | 'address'> & {
  readonly status: 'deployed' | 'absent' | 'other code';
};

// push1 0, tload, push1 0, mstore, push1 32, push1 0, return
const readsTransientStorage: Hex = '0x60005c60005260206000f3';

/** Reads the code of both builds, of earlier ones and of the deployer, and checks whether the chain has transient storage. */
export async function readExecutorOnChain(client: PublicClient): Promise<ExecutorOnChain> {
  const [chainId, deployer, isTransient, ...codes] = await Promise.all([
    client.getChainId(),
    client.getCode({ address: create2Deployer }),
    client.call({ data: readsTransientStorage }).then(
      () => true,
      () => false,
    ),
    ...[...executorBuilds, ...formerExecutors].map(({ address }) => client.getCode({ address })),
  ]);
  const hasCode = (index: number, codeHash: Hex) => {
    const code = codes[index];
    return code !== undefined && keccak256(code) === codeHash;
  };
  return {
    chainId,
    builds: executorBuilds.map(({ name, address, codeHash }, index) => {
      const isOurs = hasCode(index, codeHash);
      return {
        name,
        address,
        status: isOurs ? 'deployed' : codes[index] ? 'other code' : 'absent',
      };
    }),
    former: formerExecutors.filter(({ codeHash }, index) =>
      hasCode(executorBuilds.length + index, codeHash),
    ),
    hasDeployer: deployer !== undefined,
    suited: isTransient ? 'transient' : 'storage',
  };
}
