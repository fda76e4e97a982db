import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hex } from 'viem';
import { canTestWith } from '../support/installed-programs.ts';

/** Where a probe's imports are resolved: among the probes, then in our packages and in those of these tests. */
const folders = [
  './probes/',
  '../../node_modules/',
  ...(canTestWith('contracts') ? ['./contracts/node_modules/'] : []),
].map((path) => new URL(path, import.meta.url));

/**
 * The creation code of a contract in the folder `probes`, by default from the file of its name. Throws an
 * `Error` with the compiler's messages, which include warnings about the probes.
 */
export function compileProbe(contract: string, fileName = `${contract}.sol`): Hex {
  const input = {
    language: 'Solidity',
    sources: { [fileName]: { content: read(fileName).contents } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { [fileName]: { [contract]: ['evm.bytecode.object'] } },
    },
  };
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  const errors = (output.errors ?? []).filter(
    ({ severity, sourceLocation }) => severity === 'error' || !isOfPackage(sourceLocation?.file),
  );
  if (errors.length > 0) {
    throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  return `0x${output.contracts[fileName]![contract]!.evm.bytecode.object}`;
}

function read(path: string): { contents: string } {
  const found = folders.map((folder) => new URL(path, folder)).find((url) => existsSync(url));
  if (found === undefined) throw new Error(`${path} is neither a probe nor in a package.`);
  const contents = readFileSync(found, 'utf8');
  // Packages pin the compiler that they were tested with, but no difference within 0.8 matters here.
  return { contents: contents.replace(/pragma solidity =?0\.8\.\d+;/, 'pragma solidity ^0.8.0;') };
}

/** Whether a warning is about a package, and thus not ours to fix. */
function isOfPackage(file = ''): boolean {
  return file.includes('/');
}

type CompilerOutput = {
  errors?: {
    severity: string;
    formattedMessage: string;
    sourceLocation?: { file: string };
  }[];
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
};

// The package has no types; this is its documented interface: JSON text in, JSON text out.
const solc = createRequire(import.meta.url)('solc') as {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
};
