import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { keccak256 } from 'viem/utils';

/** A folder of Solidity and the module beside it that holds its compiled code. */
export type ContractFolder = {
  readonly url: URL;
  readonly settings: Readonly<Record<string, unknown>>;
  /**
   * The module's content: creation code; or runtime code, for a state override of an account; or
   * creation code with the hashes that give the address of a deployed contract and identify its code.
   */
  readonly code: 'creation' | 'runtime' | 'deployment';
  /** For a module without one file of the folder: that file, and the name of the module. */
  readonly part?: { readonly without: string; readonly module: string };
};

const executorUrl = new URL('../src/swap/executor/contracts/', import.meta.url);

export const contractFolders = {
  /** Runs only on our own chain, which has the newest opcodes. */
  devchain: {
    url: new URL('../src/devchain/contracts/', import.meta.url),
    settings: { optimizer: { enabled: true, runs: 1_000_000 } },
    code: 'creation',
  },
  /** Sent with calls to any chain: small, and without opcodes that older chains lack. */
  swap: {
    url: new URL('../src/swap/chain/contracts/', import.meta.url),
    settings: { optimizer: { enabled: true, runs: 200 }, viaIR: true, evmVersion: 'paris' },
    code: 'creation',
  },
  /** Overrides the code of the sender's account during the trial of a transaction. */
  transaction: {
    url: new URL('../src/swap/transaction/contracts/', import.meta.url),
    settings: { optimizer: { enabled: true, runs: 200 }, viaIR: true, evmVersion: 'paris' },
    code: 'runtime',
  },
  executor: {
    url: executorUrl,
    settings: { optimizer: { enabled: true, runs: 1_000_000 }, viaIR: true, evmVersion: 'cancun' },
    code: 'deployment',
    part: { without: 'StorageExecutor.sol', module: 'compiled-transient-executor.ts' },
  },
  /** For chains without the opcodes of Shanghai and Cancun. */
  storageExecutor: {
    url: executorUrl,
    settings: { optimizer: { enabled: true, runs: 1_000_000 }, viaIR: true, evmVersion: 'paris' },
    code: 'deployment',
    part: { without: 'TransientExecutor.sol', module: 'compiled-storage-executor.ts' },
  },
} as const satisfies Record<string, ContractFolder>;

export function compiledContractsUrl({ url, part }: ContractFolder): URL {
  return new URL(part?.module ?? 'compiled-contracts.ts', url);
}

/**
 * Compiles the contracts of a folder and returns the text of the module that holds their code.
 * The same sources give the same text on every machine: the compiler is pinned and adds no
 * metadata. Throws an `Error` with the compiler's messages; warnings count too.
 */
export function compileContracts(folder: ContractFolder): string {
  const { url, settings, part } = folder;
  const files = readdirSync(url).filter((name) => name.endsWith('.sol') && name !== part?.without);
  const output = compile({
    language: 'Solidity',
    sources: Object.fromEntries(
      files.map((name) => [name, { content: readFileSync(new URL(name, url), 'utf8') }]),
    ),
    settings: {
      ...settings,
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  });
  const problems = output.errors?.filter(({ errorCode }) => errorCode !== transientReminder) ?? [];
  if (problems.length > 0) {
    throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  const contracts = Object.values(output.contracts)
    .flatMap((contracts) => Object.entries(contracts))
    // Abstract contracts have no code of their own.
    .filter(([, { evm }]) => evm.bytecode.object !== '');
  return folder.code === 'deployment' ? writeDeployment(contracts) : writeCode(contracts, folder);
}

/** A warning wherever transient storage is written: clear it at the end of the call. The executor does. */
const transientReminder = '2394';

function writeCode(contracts: readonly CompiledContract[], { code }: ContractFolder): string {
  const key = code === 'creation' ? 'bytecode' : 'deployedBytecode';
  return [
    `/** ${code === 'creation' ? 'Creation' : 'Runtime'} code, generated from the Solidity beside it by scripts/compile-contracts.ts. */\n`,
    'export const compiledContracts = {\n',
    ...contracts.map(([name, { evm }]) => `  ${name}:\n    '0x${evm[key].object}',\n`),
    '} as const;\n',
  ].join('');
}

function writeDeployment(contracts: readonly CompiledContract[]): string {
  return contracts
    .map(([name, { evm }]) =>
      [
        '/** Generated from the Solidity beside it by scripts/compile-contracts.ts. */\n',
        `export const compiled${name} = {\n`,
        `  creationCode:\n    '0x${evm.bytecode.object}',\n`,
        `  creationCodeHash: '${keccak256(`0x${evm.bytecode.object}`)}',\n`,
        `  runtimeCodeHash: '${keccak256(`0x${evm.deployedBytecode.object}`)}',\n`,
        '} as const;\n',
      ].join(''),
    )
    .join('\n');
}

type CompilerOutput = {
  errors?: { errorCode?: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, CompiledContract[1]>>;
};

type CompiledContract = readonly [
  name: string,
  output: { evm: { bytecode: { object: string }; deployedBytecode: { object: string } } },
];

function compile(input: unknown): CompilerOutput {
  // The package has no types; this is its documented interface: JSON text in, JSON text out.
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  return JSON.parse(solc.compile(JSON.stringify(input)));
}

if (import.meta.main) {
  for (const folder of Object.values(contractFolders)) {
    writeFileSync(compiledContractsUrl(folder), compileContracts(folder));
  }
}
