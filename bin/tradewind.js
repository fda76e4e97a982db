#!/usr/bin/env -S node --max-semi-space-size=32
// Semi-spaces of 32 MB let most objects of a request die before the garbage collector has to copy them: refreshing tokens
// takes an eighth less processor time (bench/results/authorization.md). This file runs first, on whichever Node.js is
// installed, so it is plain JavaScript that older versions can parse.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const neededMajor = 24;
if (Number(process.versions.node.split('.')[0]) < neededMajor) {
  console.error(
    `Tradewind needs Node.js ${neededMajor} or newer and this is ${process.version}: install Node.js ${neededMajor}; in a clone, run it through npm (npm start, npx tradewind) after an install with scripts allowed (npm ci --ignore-scripts=false), which brings one.`,
  );
  process.exit(1);
}

// Node.js caches compiled code beside the packages: from the second start on, TypeScript costs nothing.
const { enableCompileCache } = await import('node:module');
const compiled = fileURLToPath(new URL('../node_modules/.cache/tradewind', import.meta.url));
enableCompileCache(compiled);
process.env.NODE_COMPILE_CACHE = compiled; // for threads

const fromClone = new URL('../src/main.ts', import.meta.url);
const fromPackage = new URL('../dist/main.js', import.meta.url);
await import((existsSync(fromClone) ? fromClone : fromPackage).href);
