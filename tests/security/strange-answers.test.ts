import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { makeTemporaryDirectory } from '../support/run-tradewind.ts';
import { serveHttp } from '../support/serve-http.ts';

const counts = { sessions: 1, grants: 1 };
const person = { id: 'p', username: 'mia', name: 'Mia', role: 'member', state: 'active' };
const scopes = [{ name: 'crm.read', description: 'Read the CRM' }];
const crm = { id: 'r', name: 'CRM', resource: 'https://crm.example/mcp', scopes };
const session = { id: 's', name: 'Mia', device: 'A browser', address: '::1' };
const times = { signedIn: '2026-01-31T08:00:00Z', lastUsed: '2026-01-31T08:00:00Z' };
const target = { pattern: '//a/{b}', eventTypes: ['a.b'] };

/** What a Tradewind server answers to a GET. */
const right: Readonly<Record<string, object>> = {
  '/v1/people': { people: [{ ...person, signsInBy: 'password', ...counts }] },
  '/v1/sessions': { sessions: [{ ...session, ...times }] },
  '/v1/resources': { resources: [crm] },
  '/v1/resources/r': { ...crm, grants: 1 },
  '/v1/applications': { applications: [{ name: 'a', targets: [target], scopes: [] }] },
  '/v1/monitor/sample': { type: 'a.b', subject: '//a/b', data: {}, publishable: true },
  '/register': { clients: [] },
};

/** Commands that call the server, and the paths at which it answers as it should. */
const calls: readonly (readonly [line: string, ...right: string[]])[] = [
  ['quote 1 ETH USDC'],
  ['price 1 ETH USDC'],
  ['chains'],
  ['router check --chain 8453'],
  ['subscribe //a/b a.b --count 1'],
  ['subscribe ETH/USDC --count 1'],
  ['listen a --count 1'],
  ['deliveries a --bodies'],
  ['trigger a.b'],
  ['trigger a.b', '/v1/monitor/sample'],
  ['trigger a.b --subscription a'],
  ['publish a.b //a/b {}'],
  ['subscriptions list'],
  ['subscriptions list', '/v1/applications'],
  ['subscriptions list a.b'],
  ...['show', 'renew', 'reactivate', 'delete', 'replay', 'rotate-secret'].map(
    (action) => [`subscriptions ${action} a`] as const,
  ),
  ['applications list'],
  ['applications add a //a/{b} a.b'],
  ['applications remove a'],
  ['clients list'],
  ['clients add --name a', '/register'],
  ['clients remove a'],
  ['people list'],
  ['people invite mia'],
  ['people role mia admin'],
  ['people role mia admin', '/v1/people'],
  ['people reset mia', '/v1/people'],
  ['people remove mia --yes', '/v1/people'],
  ['sessions list'],
  ['sessions end s --yes', '/v1/sessions'],
  ['resources list'],
  ['resources add https://crm.example/mcp --scope crm.read=Read'],
  ['resources remove r --yes', '/v1/resources'],
  ['resources remove r --yes', '/v1/resources', '/v1/resources/r'],
  ['keys list'],
  ['keys rotate'],
];
/** Commands for any MCP server, which need not be a Tradewind server. */
const contextCalls = ['login', 'logout', 'token', 'tools', 'call a'].map((line) => [line] as const);
/** `mcp` calls the server only for an agent, through the same clients. */
const silent = ['serve', 'mcp', 'whoami', 'backup', 'restore', 'devchain', 'completion', 'doctor'];

const fields =
  'accepted applications attempts clients data done ended eventId expireTime grants id keys name nextPageToken people publishable replayed resources response result sessions signingSecret subject subscription subscriptions tokens chains tools'.split(
    ' ',
  );
/** Bodies of another product, of a proxy, and with the right names but other values. */
const strange = [
  '',
  '<html><body>Welcome</body></html>',
  ...['text', 5, null, [], [5]].map((body) => JSON.stringify(body)),
  ...['text', 5, null, [], {}, [5], [null], [{}], [{ targets: 5 }], [{ events: [null] }]].map(
    (value) => JSON.stringify(Object.fromEntries(fields.map((name) => [name, value]))),
  ),
  ...[{}, { error: 5 }, { error: {} }, { done: true }, { done: true, response: {} }].map((body) =>
    JSON.stringify(body),
  ),
  '{"jsonrpc":"2.0","id":0,"result":{"tools":5}}',
];

async function serveStrangely(body: string, paths: readonly string[]): Promise<string> {
  return serveHttp(({ method, url = '' }, response) => {
    const [path = ''] = url.split('?');
    const isRight = method === 'GET' && paths.includes(path);
    response.setHeader('content-type', body.startsWith('<') ? 'text/html' : 'application/json');
    response.end(isRight ? JSON.stringify(right[path]) : body);
  });
}

async function run(line: string, url: string, ...flags: string[]) {
  const environment = {
    TRADEWIND_TOKEN: 'a',
    TRADEWIND_KEYRING: 'off',
    TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
  };
  return runInProcess([...line.split(' '), '--server', url, ...flags], { environment });
}

test.each([...calls, ...contextCalls])(
  '%s explains any answer that is not of a Tradewind server',
  async (line, ...paths) => {
    for (const body of strange) {
      const url = await serveStrangely(body, paths);
      for (const flags of [[], ['--json']]) {
        const { code, stdout, stderr } = await run(line, url, ...flags);
        const faults = /internal.error|TypeError|undefined|\[object|NaN/i.exec(stdout + stderr);
        expect({ body, faults, stdout, stderr }).toMatchObject({ faults: null });
        if (code === 0) continue;
        expect({ body, stderr }).toMatchObject({
          stderr: expect.stringMatching(/http:\/\/127\.0\.0\.1|^tradewind: There is no|"There is/),
        });
      }
    }
  },
);

test.each(calls)('%s names the server, and how to name another one', async (line, ...paths) => {
  const url = await serveStrangely('[]', paths);
  const { code, stderr } = await run(line, url, '--json');
  expect({ code, ...JSON.parse(stderr).error }).toEqual({
    code: 'NOT_A_TRADEWIND',
    message: expect.stringMatching(/--server.*TRADEWIND_PUBLIC_URL/),
  });
  expect(stderr).toContain(url);
});

test('every command that calls a server is tried', () => {
  const tried = [...calls, ...contextCalls].map(([line]) => line.split(' ')[0]);
  expect(new Set([...tried, ...silent])).toEqual(new Set(commands.map(({ name }) => name)));
});
