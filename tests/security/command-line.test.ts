import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { serveHttp } from '../support/serve-http.ts';

const hostile = '\u001b]0;mine\u0007\u001b[31m\u001b[2J\u009b2Jnice\u202eevil\r';
const commands = /[\p{Cc}\p{Bidi_Control}]/u;

/** Errors in the form of each service, whose texts hold control sequences for terminals. */
const answers: Record<string, unknown> = {
  swap: { success: false, error: { code: hostile, message: hostile }, timestamp: hostile },
  authorization: { error: hostile, error_description: hostile },
  events: { error: { code: 400, message: hostile, status: hostile, details: [] } },
};

const lines: string[][] = [
  ['chains'],
  ['quote', '1', 'ETH', 'USDC'],
  ['tools'],
  ['whoami'],
  ['subscriptions', 'list'],
  ['listen', 'a'],
  ['clients', 'list', '--token', 'a'],
];

test.each(Object.keys(answers))(
  'no command lets the refusal of a hostile server reach the terminal, in the form of %s [F16, N6]',
  async (form) => {
    const url = await serveHttp((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answers[form]));
    });
    for (const line of lines) {
      for (const more of [[], ['--json']]) {
        for (const columns of [undefined, 80]) {
          const given = [...line, '--server', url, ...more];
          const { stdout, stderr } = await runInProcess(
            given,
            columns === undefined ? {} : { columns },
          );
          const own = `${stdout}${stderr}`.replaceAll('\r\u001b[K', '').replaceAll('\n', '');
          expect(own, given.join(' ')).not.toMatch(commands);
        }
      }
    }
  },
);

/** One answer with every field that a command shows on success. */
function hostileAnswer(): object {
  const own = { id: hostile, name: hostile, username: 'mia', role: hostile, resource: hostile };
  const person = { ...own, state: hostile, signsInBy: hostile, sessions: 1, grants: 1 };
  const subscription = {
    ...{ name: hostile, state: hostile, targetResource: hostile, expireTime: hostile },
    notificationEndpoint: { webhook: { signingSecret: hostile } },
  };
  return {
    ...own,
    state: hostile,
    ...{ inviteUrl: hostile, inviteExpires: hostile, resetUrl: hostile, resetExpires: hostile },
    ...{ people: [person], scopes: [{ name: hostile }], signs: hostile },
    ...{ applications: [{ name: hostile, targets: [{ pattern: hostile, eventTypes: ['a.b'] }] }] },
    ...{ subscriptions: [subscription], subscription, done: true, response: subscription },
    ...{ signingSecret: hostile, previousExpireTime: hostile, eventId: hostile },
    ...{ client_id: hostile, client_secret: hostile, scope: hostile },
  };
}

test.each([
  ['people', 'invite', 'mia'],
  ['people', 'role', 'mia', 'member'],
  ['people', 'reset', 'mia'],
  ['keys', 'rotate'],
  ['resources', 'add', 'https://a.example', '--scope', 'a=b'],
  ['clients', 'add', '--name', 'a'],
  ['applications', 'list'],
  ['subscriptions', 'list'],
  ['subscriptions', 'renew', 'a'],
  ['subscriptions', 'rotate-secret', 'a'],
  ['subscribe', '//a/b', 'a.b', '--webhook', 'https://a.example'],
])('%s %s lets no answer of a hostile server reach the terminal [F16]', async (...line) => {
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(hostileAnswer()));
  });
  const environment = { TRADEWIND_TOKEN: 'a' };
  const shown = await runInProcess([...line, '--server', url], { environment, columns: 80 });
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.stdout).toContain('nice');
  expect(shown.stdout.replaceAll('\n', '')).not.toMatch(commands);
});
