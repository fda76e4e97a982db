import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A folder of Solidity and the module beside it that holds its compiled code. */
export type ContractFolder = {
  readonly url: URL;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Code that creates a contract, or that of the contract itself, to be laid over an account. */
  readonly code: 'creation' | 'runtime';
};

export const contractFolders = {
  /** Runs on our own chain only, which knows the newest instructions. */
  devchain: {
    url: new URL('../src/devchain/contracts/', import.meta.url),
    settings: { optimizer: { enabled: true, runs: 1_000_000 } },
    code: 'creation',
  },
  /** Sent along with calls to any chain: small, and without instructions that older chains lack. */
  swap: {
    url: new URL('../src/swap/chain/contracts/', import.meta.url),
    settings: { optimizer: { enabled: true, runs: 200 }, viaIR: true, evmVersion: 'paris' },
    code: 'creation',
  },
  /** Laid over the sender's account while a transaction is tried. */
  transaction: {
    url: new URL('../src/swap/transaction/contracts/', import.meta.url),
    settings: { optimizer: { enabled: true, runs: 200 }, viaIR: true, evmVersion: 'paris' },
    code: 'runtime',
  },
} as const satisfies Record<string, ContractFolder>;

export function compiledContractsUrl({ url }: ContractFolder): URL {
  return new URL('compiled-contracts.ts', url);
}

/**
 * Compiles the contracts of a folder, and gives the text of the module that holds their
 * code. The same sources give the same text on every machine: the compiler is pinned and adds no
 * metadata. Throws an `Error` with the compiler's messages, warnings among them.
 */
export function compileContracts({ url, settings, code: part }: ContractFolder): string {
  const files = readdirSync(url).filter((name) => name.endsWith('.sol'));
  const key = part === 'creation' ? 'bytecode' : 'deployedBytecode';
  const output = compile({
    language: 'Solidity',
    sources: Object.fromEntries(
      files.map((name) => [name, { content: readFileSync(new URL(name, url), 'utf8') }]),
    ),
    settings: {
      ...settings,
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': [`evm.${key}.object`] } },
    },
  });
  if (output.errors !== undefined) {
    throw new Error(output.errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  const entries = Object.values(output.contracts)
    .flatMap((contracts) => Object.entries(contracts))
    .map(([name, { evm }]) => ({ name, code: evm[key]?.object ?? '' }))
    // Abstract contracts have no code of their own.
    .filter(({ code }) => code !== '')
    .map(({ name, code }) => `  ${name}:\n    '0x${code}',\n`);
  return [
    `/** ${part === 'creation' ? 'Creation' : 'Runtime'} code, generated from the Solidity beside it by scripts/compile-contracts.ts. */\n`,
    'export const compiledContracts = {\n',
    ...entries,
    '} as const;\n',
  ].join('');
}

type CompilerOutput = {
  errors?: { formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: Record<string, { object: string }> }>>;
};

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
