import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { canTestWith, skippedTests } from './tests/support/installed-programs.ts';
import { findMemoryDirectory } from './tests/support/memory-directory.ts';

const withPostgres = { globalSetup: 'tests/support/provide-postgres.ts' };

/**
 * For tests whose files share nothing but the cost of being loaded: that of pure code is most of what its tests
 * take, and what runs whole servers loads all of the code in each file.
 */
const inOneProcess = { isolate: false };

/**
 * Endpoints that fail are tried against the product's own deadlines. The node of these tests shares the cores with them, and
 * now and then takes longer than a deadline: that is a failure of the machine, and the test is tried again.
 */
const onTheRealClock = { retry: 2 };

for (const line of skippedTests()) console.warn(line);

process.env.TMPDIR ??= findMemoryDirectory() ?? tmpdir();

/** Only what hangs takes this long, in milliseconds, however slow and busy the machine is. */
const patience = 300_000;

/** Projects are the kinds of test: `npm run check` runs the first two, `npm test` all of them. */
export default defineConfig({
  test: {
    environment: 'node',
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
      }),
      project('fuzz', ['src/**/*.fuzz.ts'], inOneProcess),
      project('requests', ['tests/{fuzz,soak}/**/*.test.ts']),
      project('differential', ['tests/differential/**/*.test.ts'], inOneProcess),
      project('security', ['tests/security/**/*.test.ts'], inOneProcess),
      project('faults', ['tests/faults/**/*.test.ts'], { ...inOneProcess, ...onTheRealClock }),
      project('simulation', ['tests/simulation/**/*.test.ts'], withPostgres),
      project('e2e', ['tests/e2e/**/*.test.ts'], { ...withPostgres, ...inOneProcess }),
      ...(canTestWith('chromium')
        ? [project('pages', ['tests/pages/**/*.test.ts'], inOneProcess)]
        : []),
      ...(canTestWith('strangers') ? [project('strangers', strangers())] : []),
    ],
  },
});

function project(name: string, include: string[], more: object = {}) {
  return { test: { name, include, ...more } };
}

function strangers(): string[] {
  const withoutPython = canTestWith('python') ? [] : ['!tests/strangers/*-python.test.ts'];
  return ['tests/strangers/*.test.ts', ...withoutPython];
}
