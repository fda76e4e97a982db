import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { findChromium } from './tests/support/find-chromium.ts';
import { findPython } from './tests/support/find-python.ts';

const withPostgres = ['tests/support/provide-postgres.ts'];

/** Clients of others that are too large for everyone who installs the product; CI must have them. */
const hasStrangers = existsSync('tests/strangers/node_modules') || process.env.CI !== undefined;

/** Pages are tried in a real browser where there is one; CI must have it. */
const hasBrowser = findChromium() !== undefined || process.env.CI !== undefined;

/** Projects are the kinds of test: `npm run check` runs the first two, `npm test` all of them. */
export default defineConfig({
  test: {
    restoreMocks: true,
    projects: [
      project('unit', ['src/**/*.test.ts', 'scripts/**/*.test.ts']),
      project('contract', ['tests/contract/**/*.test.ts'], 60_000, withPostgres),
      project('fuzz', ['src/**/*.fuzz.ts'], 60_000),
      project('differential', ['tests/differential/**/*.test.ts'], 120_000),
      project('security', ['tests/security/**/*.test.ts'], 60_000),
      project('faults', ['tests/faults/**/*.test.ts'], 300_000),
      project('e2e', ['tests/e2e/**/*.test.ts'], 120_000, withPostgres),
      ...(hasBrowser ? [project('pages', ['tests/pages/**/*.test.ts'], 120_000)] : []),
      ...(hasStrangers ? [project('strangers', strangers(), 120_000)] : []),
    ],
  },
});

function project(name: string, include: string[], testTimeout = 5_000, globalSetup: string[] = []) {
  const hookTimeout = 60_000;
  return { test: { name, include, testTimeout, hookTimeout, globalSetup, environment: 'node' } };
}

function strangers(): string[] {
  const isMissing = process.env.CI === undefined && findPython() === undefined;
  return ['tests/strangers/*.test.ts', ...(isMissing ? ['!tests/strangers/*-python.test.ts'] : [])];
}
