import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const inTests = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const firstOf = (paths: readonly string[]) => paths.find((path) => existsSync(path));

/** What some tests need and a machine may lack: where it is, which tests it is for, how to get it. */
const needed = {
  chromium: {
    find: () =>
      process.env.CHROMIUM ??
      firstOf([
        '/usr/bin/chromium',
        '/usr/bin/chromium-browser',
        '/usr/bin/google-chrome',
        '/usr/bin/google-chrome-stable',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      ]),
    tests: 'tests of pages in a browser',
    install: 'install Chromium, or name one in CHROMIUM',
  },
  nats: {
    find: () => {
      // On the path, or where Debian puts it.
      const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')];
      return firstOf(folders.map((folder) => `${folder}/nats-server`));
    },
    tests: 'tests with a NATS server',
    install: 'install nats-server',
  },
  python: {
    find: () => {
      const asks =
        'import importlib.util as u, sys; sys.exit(u.find_spec("googleapiclient") is None)';
      const pythons = ['python3', '/usr/bin/python3'];
      return pythons.find((program) => spawnSync(program, ['-c', asks]).status === 0);
    },
    tests: "tests of Google's Python client",
    install: "install Python's googleapiclient (python3-googleapi)",
  },
  strangers: {
    find: () => firstOf([inTests('strangers/node_modules')]),
    tests: 'tests of independent clients',
    install: 'npm ci --prefix tests/strangers --ignore-scripts',
  },
  contracts: {
    find: () => firstOf([inTests('differential/contracts/node_modules')]),
    tests: 'comparisons with the bytecode of Solidly, Curve and Algebra Integral',
    install: 'npm ci --prefix tests/differential/contracts --ignore-scripts',
  },
  forge: {
    find: () => firstOf([inTests('security/fuzzer/node_modules/.bin/forge')]),
    tests: 'the independent fuzzer of the executor',
    install: 'npm ci --prefix tests/security/fuzzer --ignore-scripts, on Linux for x64',
    isOfMachine: process.platform !== 'linux' || process.arch !== 'x64',
  },
  recordings: {
    find: () =>
      firstOf([process.env.TRADEWIND_MAINNET_DATA ?? inTests('../../shared/data/mainnet')]),
    tests: 'tests over recorded pools of real chains',
    install: 'name the folder of the recordings in TRADEWIND_MAINNET_DATA',
    isOfMachine: true,
  },
  script: {
    find: () => (process.platform === 'linux' ? firstOf(['/usr/bin/script']) : undefined),
    tests: 'tests that type at a terminal',
    install: 'install script (bsdutils)',
  },
  systemd: {
    find: () => firstOf(['/usr/bin/systemd-analyze', '/bin/systemd-analyze']),
    tests: 'the test of the systemd unit',
    install: 'use a system with systemd',
    isOfMachine: true,
  },
  root: {
    find: () => (process.getuid?.() === 0 ? 'root' : undefined),
    tests: 'tests of commands that root runs',
    install: 'run the tests as root, in a container',
    isOfMachine: true,
  },
  mounts: {
    find: () => (canMount() ? 'mount' : undefined),
    tests: 'tests with a full disk',
    install: 'run the tests as root, in a container that may mount',
    isOfMachine: true,
  },
} satisfies Record<string, Needed>;

type Needed = {
  find(): string | undefined;
  readonly tests: string;
  readonly install: string;
  /** Whether it is a property of the machine, which no script can install. */
  readonly isOfMachine?: boolean;
};

export type ProgramName = keyof typeof needed;

const names = Object.keys(needed) as ProgramName[];

/** Found once in a process: asking Python takes long. */
const found = new Map<ProgramName, string | undefined>();

/**
 * Where a program is, or undefined. `TEST_WITHOUT` hides programs that are installed: names with commas between them, or
 * `everything`. A test that does not say what it needs then fails, as it would where they are not installed.
 */
function find(name: ProgramName): string | undefined {
  const hidden = (process.env.TEST_WITHOUT ?? '').split(',');
  if (hidden.includes(name) || hidden.includes('everything')) return undefined;
  if (!found.has(name)) found.set(name, needed[name].find());
  return found.get(name);
}

/** Where a program is. Throws if this machine lacks it, which tests of {@link testsWith} do not meet. */
export function findProgram(name: ProgramName): string {
  const place = find(name);
  if (place === undefined) {
    throw new Error(`${name} was not found: ${needed[name].install}. Its tests call testsWith.`);
  }
  return place;
}

/**
 * Set by `.ci/run`, which installs every program first: a missing one then fails its tests instead of skipping them.
 */
const insists = process.env.TEST_EVERYTHING !== undefined;

/** Whether tests that need a program run. They say so by `testsWith`. */
export function canTestWith(name: ProgramName): boolean {
  const { isOfMachine = false }: Needed = needed[name];
  return (insists && !isOfMachine) || find(name) !== undefined;
}

/** One line for each missing program: which tests are skipped without it, and how to run them. */
export function skippedTests(): string[] {
  return names
    .filter((name) => !canTestWith(name))
    .map((name) => `skipped: ${needed[name].tests} (to run them: ${needed[name].install})`);
}

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const path = mkdtempSync(join(tmpdir(), 'tradewind-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' });
    execFileSync('umount', [path]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { recursive: true });
  }
}
