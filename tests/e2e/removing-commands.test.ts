import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { serveHttp } from '../support/serve-http.ts';

const mia = { id: 'p', username: 'mia', name: 'Mia', role: 'member', state: 'active' };
const browser = { device: 'Firefox', address: '::1', signedIn: 'today', lastUsed: 'today' };
const crm = { id: 'r', name: 'CRM', resource: 'https://crm.example', scopes: [] };
const answers = {
  people: [{ ...mia, signsInBy: 'password', sessions: 1, grants: 1 }],
  sessions: [{ id: 's', name: 'Mia', ...browser }],
  resources: [crm],
  ...crm,
  ended: { sessions: 0, grants: 0 },
  done: true,
};

/** A server that has everything the commands remove, and records the removals. */
async function openServer() {
  const removed: string[] = [];
  const url = await serveHttp(({ method, url: path = '' }, response) => {
    if (method === 'DELETE') removed.push(path);
    if (path.startsWith('/register/')) response.writeHead(204).end();
    else response.end(JSON.stringify(answers));
  });
  /** Runs a command; with an `answer` at a terminal, unless the output is JSON. */
  const run = (line: readonly string[], answer?: string) =>
    runInProcess([...line, '--server', url], {
      environment: { TRADEWIND_TOKEN: 'a' },
      ...(answer === undefined ? {} : { answer }),
      ...(answer === undefined || line.includes('--json') ? {} : { columns: 100 }),
    });
  return { removed, run, url };
}

const ofPeople = [
  ['/v1/people/p', 'Mia', ['people', 'remove', 'mia']],
  ['/v1/sessions/s', 'Mia', ['sessions', 'end', 's']],
  ['/v1/resources/r', 'CRM', ['resources', 'remove', 'r']],
] as const;
const ofPrograms = [
  ['/register/c', 'c', ['clients', 'remove', 'c']],
  ['/v1/applications/crm', 'crm', ['applications', 'remove', 'crm']],
  ['/v1/subscriptions/u', 'subscriptions/u', ['subscriptions', 'delete', 'u']],
] as const;

test.each(ofPeople)('%s is not removed where nobody can agree [T8]', async (_, named, line) => {
  const { removed, run } = await openServer();
  const unasked = await run(line);
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
  const inScript = await run([...line, '--json']);
  expect(inScript.code).toBe(2);
  expect(JSON.parse(inScript.stderr).error.message).toContain(named);
  expect(removed).toEqual([]);
  expect((await run([...line, '--json'], 'y')).code).toBe(0);
  expect(removed).toHaveLength(1);
});

test('lines that a script pipes in are not taken as confirmation [T8]', async () => {
  const { removed, url } = await openServer();
  const argv = ['subscriptions', 'delete', 'u', '--server', url];
  const stream = { write: () => {}, isTTY: true };
  const code = await runCommandLine(commands, argv, {
    environment: { TRADEWIND_TOKEN: 'a' },
    stdout: stream,
    stderr: stream,
    isTyped: false,
    readLine: async () => 'the next of the list',
    onTerminate: () => {},
    onExit: () => {},
    onReload: () => {},
  });
  expect([code, removed]).toEqual([0, ['/v1/subscriptions/u']]);
});

test.each(ofPrograms)('%s needs no confirmation in a script [T8]', async (path, _, line) => {
  const { removed, run } = await openServer();
  expect((await run(line)).code).toBe(0);
  expect((await run([...line, '--json'], 'n')).code).toBe(0);
  expect(removed).toEqual([path, path]);
});

test.each([...ofPeople, ...ofPrograms])(
  'at a terminal %s is removed only if somebody agrees [T8]',
  async (path, named, line) => {
    const { removed, run } = await openServer();
    const declined = await run(line, 'no');
    expect(declined).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing was changed'),
    });
    expect(declined.stderr).toContain(named);
    expect(removed).toEqual([]);
    expect((await run(line, 'y')).code).toBe(0);
    expect((await run([...line, '--yes'])).code).toBe(0);
    expect(removed).toEqual([path, path]);
  },
);
