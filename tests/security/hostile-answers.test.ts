import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { makeTemporaryDirectory, runTradewind } from '../support/run-tradewind.ts';
import { serveHttp } from '../support/serve-http.ts';

const environment = { TRADEWIND_TOKEN: 'a' };
const run = (line: readonly string[], url: string) =>
  runInProcess([...line, '--json', '--server', url], { environment });
const reading = [['chains'], ['people', 'list'], ['clients', 'list'], ['tools']];

/** Writes the same text over and over, for as long as the client reads. */
function writeForEver(response: ServerResponse, text: string): void {
  const part = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  const write = () => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', write);
  write();
}

test.each(reading)('%s ends where an answer has no end [N9]', async (...line) => {
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    writeForEver(response, ' ');
  });
  const { code, stderr } = await run(line, url);
  expect({ code, told: JSON.parse(stderr).error }).toMatchObject({
    code: 1,
    told: { code: 'ANSWER_TOO_LARGE', message: expect.stringContaining(url) },
  });
});

test.each(['x', 'data: x\n'])('listen ends where an event of %j has no end [N9]', async (text) => {
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    writeForEver(response, text);
  });
  const { code, stderr } = await run(['listen', 'a'], url);
  expect({ code, told: JSON.parse(stderr).error }).toMatchObject({
    code: 1,
    told: { code: 'ANSWER_TOO_LARGE' },
  });
});

test.each([...reading, ['publish', 'a.b', '//a/b', '{"a":"kept to the server that was named"}']])(
  '%s sends nothing to a host that only the server named',
  async (...line) => {
    let asked = 0;
    const other = await serveHttp((_, response) => {
      asked += 1;
      response.end('{}');
    });
    const url = await serveHttp(({ url: path = '' }, response) => {
      response.writeHead(307, { location: `${other}${path}` });
      response.end();
    });
    const { code, stderr } = await run(line, url);
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error.message).toContain(other);
    expect(asked).toBe(0);
  },
);

test.each([
  ['people', 'list'],
  ['clients', 'list'],
  ['subscriptions', 'list', 'a.b'],
])('%s ends where the pages of a list lead in a circle [N9]', async (...line) => {
  const url = await serveHttp((_, response) => {
    const lists = { people: [], clients: [], subscriptions: [] };
    response.end(JSON.stringify({ ...lists, nextPageToken: 'again', next: 'again' }));
  });
  const { code, stderr } = await run(line, url);
  expect({ code, told: JSON.parse(stderr).error }).toMatchObject({
    code: 1,
    told: { code: 'INVALID_ANSWER', message: expect.stringContaining('"again"') },
  });
});

test.each([['tools'], ['call', 'a']])(
  'Ctrl-C ends %s at once while the answer streams on [T8]',
  async (name, ...tool) => {
    const streaming = Promise.withResolvers<void>();
    const url = await serveHttp((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': nothing yet\n\n', () => streaming.resolve());
    });
    const command = runTradewind([name, `${url}/mcp`, ...tool], {
      ...environment,
      TRADEWIND_DATA_DIR: await makeTemporaryDirectory(),
      TRADEWIND_KEYRING: 'off',
    });
    await streaming.promise;
    command.process.kill('SIGINT');
    expect(await command.ended).toBe(130);
    expect(command.output()).toEqual({ stdout: '', stderr: '' });
  },
);
