import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openAuthorizationServer } from './open-authorization-server.ts';
import { openFixtureEndpoint } from './open-fixture-endpoint.ts';
import { openOwnEndpoint } from './open-own-endpoint.ts';

// Runs the protocol's own suites on us, one after another. Every failure fails the run: there is no list of
// expected failures. `npm run conformance -- client` runs the suites whose name begins with `client`.
// npm puts the runner and the pinned runtime on the path.
type Suite = {
  readonly name: string;
  readonly args: readonly string[];
  /** Opens the server under test, if it is one; its address is added to the arguments. */
  readonly open?: () => Promise<Endpoint>;
};

type Endpoint = {
  readonly url: string;
  /** Further arguments of the suite for this endpoint. */
  readonly args?: readonly string[];
  /** Called with each line of output, for suites that ask a person for something. */
  readonly onLine?: (line: string) => Promise<void>;
  close(): Promise<void>;
};

const client = ['client', '--command', 'node tests/conformance/client.ts', '--timeout', '60000'];

/** Scenarios of revision 2026-07-28, whose suite also has some that are not about authorization. */
const laterScenarios = [
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
];

/**
 * The scenarios that apply to any MCP server, by revision. All others call the suite's own tools, resources
 * and prompts, and run against our endpoint with exactly those.
 */
const ordinaryScenarios = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'server-sse-multiple-streams',
    'server-sse-polling',
    'server-session-lifecycle',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'dns-rebinding-protection',
  ],
};

const suites: readonly Suite[] = [
  ...['auth', 'backcompat', 'extensions'].map((suite) => ({
    name: `client ${suite}`,
    args: [...client, '--suite', suite],
  })),
  ...laterScenarios.map((scenario) => ({
    name: `client auth/${scenario}`,
    args: [...client, '--scenario', `auth/${scenario}`],
  })),
  { name: 'authorization', args: ['authorization'], open: openAuthorizationServer },
  ...['2025-11-25', '2026-07-28'].map((revision) => ({
    name: `server ${revision}`,
    args: ['server', '--requirements', revision],
    open: openFixtureEndpoint,
  })),
  ...Object.entries(ordinaryScenarios).flatMap(([revision, scenarios]) =>
    scenarios.map((scenario) => ({
      name: `server own ${revision} ${scenario}`,
      args: ['server', '--scenario', scenario, '--spec-version', revision],
      open: openOwnEndpoint,
    })),
  ),
];

const wanted = process.argv.slice(2).join(' ');
const opened = new Map<Suite['open'], Endpoint>();
const failed: string[] = [];
for (const { name, args, open } of suites.filter((suite) => suite.name.startsWith(wanted))) {
  console.log(`\n=== ${name}`);
  const endpoint = open && (opened.get(open) ?? (await open()));
  if (endpoint) opened.set(open, endpoint);
  const address = endpoint ? ['--url', endpoint.url, ...(endpoint.args ?? [])] : [];
  const runner = spawn('conformance', [...args, ...address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(runner.stdout).on('line', (line) => {
    console.log(line);
    void endpoint?.onLine?.(line);
  });
  const [code] = await once(runner, 'close');
  if (code !== 0) failed.push(name);
}
for (const endpoint of opened.values()) await endpoint.close();
console.log(failed.length === 0 ? '\nAll suites passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
