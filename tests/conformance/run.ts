import { spawn } from 'node:child_process';
import { once } from 'node:events';

// Lets the protocol's own suites judge us, one after another; every failure fails the run, and there is no
// list of expected ones. `npm run conformance -- client` runs those whose name begins so;
// npm is what puts the runner and the pinned runtime on the path.
type Suite = { readonly name: string; readonly args: readonly string[] };

const client = ['client', '--command', 'node tests/conformance/client.ts', '--timeout', '60000'];

/** Of revision 2026-07-28, whose suite also holds scenarios that are not about authorization. */
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

const suites: readonly Suite[] = [
  ...['auth', 'backcompat', 'extensions'].map((suite) => ({
    name: `client ${suite}`,
    args: [...client, '--suite', suite],
  })),
  ...laterScenarios.map((scenario) => ({
    name: `client auth/${scenario}`,
    args: [...client, '--scenario', `auth/${scenario}`],
  })),
];

const wanted = process.argv.slice(2).join(' ');
const failed: string[] = [];
for (const { name, args } of suites.filter((suite) => suite.name.startsWith(wanted))) {
  console.log(`\n=== ${name}`);
  const runner = spawn('conformance', args, { stdio: 'inherit' });
  const [code] = await once(runner, 'exit');
  if (code !== 0) failed.push(name);
}
console.log(failed.length === 0 ? '\nAll suites passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
