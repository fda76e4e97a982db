import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hex } from 'viem';

const folder = new URL('./probes/', import.meta.url);

/**
 * The creation code of a contract in the folder `probes`, in the file of its name. Throws an `Error`
 * with the compiler's messages, warnings among them.
 */
export function compileProbe(contract: string): Hex {
  const fileName = `${contract}.sol`;
  const read = (path: string) => ({ contents: readFileSync(new URL(path, folder), 'utf8') });
  const input = {
    language: 'Solidity',
    sources: { [fileName]: { content: read(fileName).contents } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { [fileName]: { [contract]: ['evm.bytecode.object'] } },
    },
  };
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  if (output.errors !== undefined) {
    throw new Error(output.errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  return `0x${output.contracts[fileName]![contract]!.evm.bytecode.object}`;
}

type CompilerOutput = {
  errors?: { formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
};

// The package has no types; this is its documented interface: JSON text in, JSON text out.
const solc = createRequire(import.meta.url)('solc') as {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
};
