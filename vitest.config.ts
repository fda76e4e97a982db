import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { skippedTests } from './tests/support/installed-programs.ts';
import { findMemoryDirectory } from './tests/support/memory-directory.ts';

const withPostgres = { globalSetup: 'tests/support/provide-postgres.ts' };

/**
 * For tests whose files share nothing but the cost of being loaded: that of pure code is most of what its tests
 * take, and what runs whole servers loads all of the code in each file.
 */
const inOneProcess = { isolate: false };

/**
 * These run real servers and databases, whose deadlines are those of the product. The host of a virtual machine may take its
 * processors away for longer than that (97 % of the time for a minute was measured, and quotes that took 9 s instead of 50 ms):
 * a test that failed is tried again some seconds later, and Vitest's report says so.
 */
const onTheRealClock = { retry: { count: 2, delay: 5_000 } };

process.env.TMPDIR ??= findMemoryDirectory() ?? tmpdir();

/** Only what hangs takes this long, in milliseconds, however slow and busy the machine is. */
const patience = 300_000;

/** Says at the end of a run, where it is read, what this machine could not test. */
const tellSkipped: Reporter = {
  onTestRunEnd(modules) {
    if (modules.every(({ children }) => children.allTests('skipped').next().done)) return;
    for (const line of skippedTests()) console.warn(line);
  },
};

/** Projects are the kinds of test: `npm run check` runs the first two, `npm test` all of them. */
export default defineConfig({
  test: {
    environment: 'node',
    reporters: ['default', tellSkipped],
    restoreMocks: true,
    // A test waits for a server about as long as it computes: one worker would leave half of the machine idle.
    maxWorkers: '100%',
    // Processes that tests start read what servers have compiled, beside which they have little of their own.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/tradewind') },
    testTimeout: patience,
    hookTimeout: patience,
    expect: { poll: { timeout: patience / 5 } },
    projects: [
      project('unit', ['src/**/*.test.ts', 'scripts/**/*.test.ts'], inOneProcess),
      project('contract', ['tests/contract/**/*.test.ts'], {
        ...withPostgres,
        ...inOneProcess,
        ...onTheRealClock,
      }),
      project('fuzz', ['src/**/*.fuzz.ts'], inOneProcess),
      project('requests', ['tests/{fuzz,soak}/**/*.test.ts'], onTheRealClock),
      project('differential', ['tests/differential/**/*.test.ts'], inOneProcess),
      project('security', ['tests/security/**/*.test.ts'], { ...inOneProcess, ...onTheRealClock }),
      project('faults', ['tests/faults/**/*.test.ts'], { ...inOneProcess, ...onTheRealClock }),
      project('simulation', ['tests/simulation/**/*.test.ts'], withPostgres),
      project('e2e', ['tests/e2e/**/*.test.ts'], {
        ...withPostgres,
        ...inOneProcess,
        ...onTheRealClock,
      }),
      project('pages', ['tests/pages/**/*.test.ts'], { ...inOneProcess, ...onTheRealClock }),
      project('strangers', ['tests/strangers/*.test.ts'], onTheRealClock),
    ],
  },
});

function project(name: string, include: string[], more: object = {}) {
  return { test: { name, include, ...more } };
}
