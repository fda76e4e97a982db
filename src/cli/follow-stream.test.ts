import { expect, it, test } from 'vitest';
import { followStream, forwardSecret } from './follow-stream.ts';
import { UsageError } from './input/usage-error.ts';
import type { EventsClient } from './server/events-client.ts';
import { notATradewind } from './server/server-client.ts';
import { ServerError } from './server/server-error.ts';

/**
 * Follows a stream of these events; an error ends the connection, and the next one continues after it. Nobody reads the
 * output until `read` is called.
 */
function follow(events: readonly (string | Error)[]) {
  const state = { given: 0, errors: '', isFull: true };
  let [terminate, read] = [() => {}, () => {}];
  let waits = Promise.withResolvers<void>();
  const client: EventsClient = {
    request: () => Promise.reject(new Error('nothing else is asked')),
    async *listen(_, { signal }) {
      for (const data of events.slice(state.given)) {
        state.given += 1;
        if (data instanceof Error) throw data;
        yield { id: String(state.given), data };
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  const stdout = {
    draw: () => {},
    write(text: string, taken?: () => void) {
      if (text !== '' || taken === undefined) return;
      read = taken;
      waits.resolve();
      waits = Promise.withResolvers<void>();
    },
    get writableLength() {
      return state.isFull ? 2 ** 21 : 0;
    },
  };
  const stderr = { draw: () => {}, write: (text: string) => (state.errors += text) };
  const signals = { onExit: () => {}, onReload: () => {} };
  const ended = followStream(
    client,
    { path: '/v1/a:listen', since: undefined, count: 3 },
    {
      operands: [],
      flags: { json: true },
      terminal: {
        ...{ environment: {}, stdout, stderr, ...signals },
        onTerminate: (callback) => {
          terminate = callback;
        },
      },
    },
  );
  return {
    state,
    ended,
    whenWaiting: () => waits.promise,
    read: () => read(),
    end: () => terminate(),
  };
}

test('reads no further events from the server while its output is not read [N12]', async () => {
  const { state, ended, whenWaiting, read } = follow(['{}', '{}', '{}']);
  await Promise.race([whenWaiting(), ended]);
  expect(state.given).toBe(1);
  const again = whenWaiting();
  read();
  await Promise.race([again, ended]);
  expect(state.given).toBe(2);
  state.isFull = false;
  read();
  await ended;
  expect(state.given).toBe(3);
});

test('ends at once while its output is not read [T8]', async () => {
  const { state, ended, whenWaiting, end } = follow(['{}', '{}', '{}']);
  await Promise.race([whenWaiting(), ended]);
  end();
  await ended;
  expect(state.given).toBe(1);
});

test('fails on a message that is not an event, and quotes it', async () => {
  const { state, ended } = follow(['nonsense']);
  await expect(ended).rejects.toMatchObject({
    code: 'NOT_A_TRADEWIND',
    message: expect.stringContaining('"nonsense"'),
  });
  expect(state.errors).toBe('');
});

test.each([
  ['a proxy answers in its place', notATradewind('http://localhost', { status: 502, path: '/' })],
  ['it cannot be reached', new ServerError('SERVER_UNREACHABLE', 'Nobody answers.')],
])('continues after a lost connection while %s [T8]', async (_, error) => {
  const { state, ended } = follow(['{}', new Error('lost'), error, '{}', '{}']);
  state.isFull = false;
  await ended;
  expect(state.given).toBe(5);
});

test.each([
  ['at first', [notATradewind('http://localhost', { status: 502, path: '/' })]],
  [
    'later, if another server answers',
    [new Error('lost'), notATradewind('http://localhost', { status: 200, path: '/' })],
  ],
])('fails on an answer that is no stream %s [T8]', async (_, errors) => {
  const { ended } = follow(errors);
  await expect(ended).rejects.toMatchObject({ code: 'NOT_A_TRADEWIND' });
});

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

it.each([24, 32, 63, 64])('takes a secret of %i bytes', async (bytes) => {
  expect(await forwardSecret(secretOf(bytes), {})).toBe(secretOf(bytes));
});

it.each([23, 65, 66])('refuses a secret of %i bytes', async (bytes) => {
  await expect(forwardSecret(secretOf(bytes), {})).rejects.toThrow(UsageError);
});
