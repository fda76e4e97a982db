import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { findChromium } from './tests/support/find-chromium.ts';
import { findPython } from './tests/support/find-python.ts';

const withPostgres = { globalSetup: 'tests/support/provide-postgres.ts' };

/** Pure code shares nothing but the cost of being loaded, which is most of what its tests take. */
const inOneProcess = { isolate: false };

/** Clients of others that are too large for everyone who installs the product; CI must have them. */
const hasStrangers = existsSync('tests/strangers/node_modules') || process.env.CI !== undefined;

/** Pages are tried in a real browser where there is one; CI must have it. */
const hasBrowser = findChromium() !== undefined || process.env.CI !== undefined;

/** Only what hangs takes this long, in milliseconds, however slow and busy the machine is. */
const patience = 300_000;

/** Projects are the kinds of test: `npm run check` runs the first two, `npm test` all of them. */
export default defineConfig({
  test: {
    environment: 'node',
    restoreMocks: true,
    testTimeout: patience,
    hookTimeout: patience,
    expect: { poll: { timeout: patience / 5 } },
    projects: [
      project('unit', ['src/**/*.test.ts', 'scripts/**/*.test.ts'], inOneProcess),
      project('contract', ['tests/contract/**/*.test.ts'], withPostgres),
      project('fuzz', ['src/**/*.fuzz.ts'], inOneProcess),
      project('differential', ['tests/differential/**/*.test.ts']),
      project('security', ['tests/security/**/*.test.ts']),
      project('faults', ['tests/faults/**/*.test.ts']),
      project('e2e', ['tests/e2e/**/*.test.ts'], withPostgres),
      ...(hasBrowser ? [project('pages', ['tests/pages/**/*.test.ts'])] : []),
      ...(hasStrangers ? [project('strangers', strangers())] : []),
    ],
  },
});

function project(name: string, include: string[], more: object = {}) {
  return { test: { name, include, ...more } };
}

function strangers(): string[] {
  const isMissing = process.env.CI === undefined && findPython() === undefined;
  return ['tests/strangers/*.test.ts', ...(isMissing ? ['!tests/strangers/*-python.test.ts'] : [])];
}
