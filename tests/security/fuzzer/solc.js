#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// The command line of the compiler as forge calls it, answered by the compiler in JavaScript: forge knows binaries only.

// The package has no types; this is its documented interface: JSON text in, JSON text out.
const solc = createRequire(import.meta.url)('solc');
if (process.argv.includes('--version')) {
  const [version] = solc.version().split('.Emscripten');
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}.Linux.g++`);
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
