import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fake-clock.ts';
import { followSignals, oneStopMs, whenWritten } from './stop-signals.ts';

function setUp({ isAtTerminal = true } = {}) {
  const clock = createFakeClock();
  const handlers = new Map<string, () => void>();
  const told: (string | number)[] = [];
  const terminal = { isThere: isAtTerminal };
  const { onTerminate, onReload } = followSignals({
    on: (signal, callback) => void handlers.set(signal, callback),
    exit: (code) => void told.push(code),
    clock,
    isAtTerminal: () => terminal.isThere,
  });
  onTerminate(() => void told.push('stop'));
  onReload(() => void told.push('reload'));
  return { clock, told, terminal, send: (signal: string) => handlers.get(signal)?.() };
}

it.each([
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
])('takes %s and then %s for one stop until two seconds have passed [F45]', (first, second) => {
  const { send, clock, told } = setUp();
  send(first);
  send(second);
  clock.advance(oneStopMs - 1);
  for (let count = 0; count < 10; count++) send(second);
  expect(told).toEqual(['stop']);
  clock.advance(1);
  send(second);
  expect(told).toEqual(['stop', 130]);
});

it('counts from the first signal, so that whoever goes on pressing Ctrl-C is heard [F45]', () => {
  const { send, clock, told } = setUp();
  for (let pressed = 0; pressed < 5; pressed++) {
    send('SIGINT');
    clock.advance(oneStopMs / 4);
  }
  expect(told).toEqual(['stop', 130]);
});

it('reads files again on SIGHUP, and stops if its terminal has been closed [F45]', () => {
  const { send, clock, told, terminal } = setUp();
  send('SIGHUP');
  terminal.isThere = false;
  // The shell that goes away passes its SIGHUP on, and npm ends its script by SIGTERM.
  for (const signal of ['SIGHUP', 'SIGHUP', 'SIGTERM']) send(signal);
  expect(told).toEqual(['reload', 'stop']);
  clock.advance(oneStopMs);
  send('SIGHUP');
  expect(told).toEqual(['reload', 'stop', 130]);
});

it('never takes SIGHUP for a stop where there was no terminal', () => {
  const { send, clock, told } = setUp({ isAtTerminal: false });
  send('SIGHUP');
  clock.advance(oneStopMs);
  send('SIGHUP');
  expect(told).toEqual(['reload', 'reload']);
});

/** A stream whose reader takes one text at a time, when the test says so. */
function openSlowStream() {
  const taken: string[] = [];
  let take = () => {};
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      take = () => {
        taken.push(chunk);
        done();
      };
    },
  });
  return { stream, taken, take: () => take() };
}

it('waits until a slow reader has taken everything', async () => {
  const { stream, taken, take } = openSlowStream();
  stream.write('one');
  stream.write('two');
  const written = whenWritten([stream], { patienceMs: 1_000, clock: createFakeClock() }).then(() =>
    taken.push('end of the wait'),
  );
  for (let count = 0; count < 3; count += 1) {
    take();
    await new Promise(setImmediate);
  }
  await written;
  expect(taken).toEqual(['one', 'two', '', 'end of the wait']);
});

it('stops waiting for a reader after its timeout', async () => {
  const { stream, taken } = openSlowStream();
  stream.write('unread');
  const clock = createFakeClock();
  const written = whenWritten([stream], { patienceMs: 1_000, clock });
  clock.advance(1_000);
  await written;
  expect(taken).toEqual([]);
});

it('waits for no reader that is gone', async () => {
  const { stream } = openSlowStream();
  stream.on('error', () => {});
  stream.destroy();
  await whenWritten([stream], { patienceMs: 1_000, clock: createFakeClock() });
});
