import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { serveHttp } from '../support/serve-http.ts';

const hostile = '\u001b]0;mine\u0007\u001b[31m\u001b[2J\u009b2Jnice\u202eevil\r';
const commands = /[\p{Cc}\p{Bidi_Control}]/u;

/** Answers every request with a text that would command a terminal, in the form of each service. */
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
