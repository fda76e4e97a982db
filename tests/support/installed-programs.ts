import { existsSync } from 'node:fs';
import { findChromium } from './find-chromium.ts';
import { findNats } from './find-nats.ts';
import { findPython } from './find-python.ts';

/** Set by `.ci/run`, which installs every program first. A missing program then fails its tests instead of skipping them. */
const insists = process.env.TEST_EVERYTHING !== undefined;

const programs = {
  chromium: {
    isInstalled: findChromium() !== undefined,
    skips: 'tests of pages in a browser',
    install: 'install Chromium, or name one in CHROMIUM',
  },
  nats: {
    isInstalled: findNats() !== undefined,
    skips: 'tests with a NATS server',
    install: 'install nats-server',
  },
  python: {
    isInstalled: findPython() !== undefined,
    skips: "tests of Google's Python client",
    install: "install Python's googleapiclient (python3-googleapi)",
  },
  strangers: {
    isInstalled: existsSync('tests/strangers/node_modules'),
    skips: 'tests of independent clients',
    install: 'npm ci --prefix tests/strangers --ignore-scripts',
  },
  contracts: {
    isInstalled: existsSync('tests/differential/contracts/node_modules'),
    skips: 'comparisons with the bytecode of Solidly, Curve and Algebra Integral',
    install: 'npm ci --prefix tests/differential/contracts --ignore-scripts',
  },
};

/** Whether tests that need a program run: if it is installed, and always if `TEST_EVERYTHING` is set. */
export function canTestWith(name: keyof typeof programs): boolean {
  return insists || programs[name].isInstalled;
}

/** One line for each missing program: which tests are skipped without it, and how to run them. */
export function skippedTests(): string[] {
  return Object.values(programs)
    .filter(({ isInstalled }) => !insists && !isInstalled)
    .map(({ skips, install }) => `skipped: ${skips} (to run them: ${install})`);
}
