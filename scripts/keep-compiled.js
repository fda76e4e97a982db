// Runs at the end of an install: reads and compiles once what a server loads, so that its first start is as
// quick and small as every later one. A convenience only: where it cannot run, the first start does the same.
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';

try {
  module.enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/tradewind', import.meta.url)),
  );
  await import('../src/cli/commands.ts');
  await import('../src/cli/run-command-line.ts');
  await import('../src/cli/serve.ts');
  await import('../src/swap/create-swap.ts');
  await import('../src/app/open-devchain.ts');
  await import('../src/devchain/build-devchain.ts');
} catch (error) {
  console.warn(`Nothing was compiled beforehand: ${error}`);
}
