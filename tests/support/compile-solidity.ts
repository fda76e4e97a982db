import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';

// The compiler comes without types.
const solc = createRequire(import.meta.url)('solc') as {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
};

export type CompiledContract = { readonly abi: Abi; readonly bytecode: Hex };

/**
 * Compiles one contract of a Solidity file, whose imports lie beside it. Throws with the compiler's
 * words if there is an error.
 */
export function compileSolidity(folder: URL, fileName: string, contract: string): CompiledContract {
  const read = (path: string) => ({ contents: readFileSync(new URL(path, folder), 'utf8') });
  const input = {
    language: 'Solidity',
    sources: { [fileName]: { content: read(fileName).contents } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { [fileName]: { [contract]: ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  const compiled = output.contracts?.[fileName]?.[contract];
  if (compiled === undefined) {
    throw new Error(
      output.errors.map((error: { formattedMessage: string }) => error.formattedMessage).join('\n'),
    );
  }
  return { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` };
}
