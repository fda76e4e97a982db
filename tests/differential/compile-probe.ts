import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hex } from 'viem';

/** Where a probe's imports are looked for: among the probes, then in packages of ours and of these tests. */
const folders = ['./probes/', '../../node_modules/', './contracts/node_modules/'].map(
  (path) => new URL(path, import.meta.url),
);

/**
 * The creation code of a contract in the folder `probes`, in the file of its name or the one that is
 * named. Throws an `Error` with the compiler's messages, warnings about the probes among them.
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
  // Packages name the very compiler they were tried with; between versions of 0.8 nothing changes that counts.
  return { contents: contents.replace(/pragma solidity =?0\.8\.\d+;/, 'pragma solidity ^0.8.0;') };
}

/** Warnings about code of others are theirs. */
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
