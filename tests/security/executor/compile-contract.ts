import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hex } from 'viem';

/** The creation code of a contract of this folder, in the file of its name. */
export function compileContract(contract: string): Hex {
  const name = `${contract}.sol`;
  // The package has no types; this is its documented interface: JSON text in, JSON text out.
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const { contracts, errors } = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { [name]: { content: readFileSync(new URL(name, import.meta.url), 'utf8') } },
        settings: {
          optimizer: { enabled: true },
          outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
        },
      }),
    ),
  );
  if (contracts?.[name]?.[contract] === undefined) throw new Error(JSON.stringify(errors));
  return `0x${contracts[name][contract].evm.bytecode.object}`;
}
