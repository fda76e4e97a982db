import { expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fake-clock.ts';
import { followSignals, oneStopMs } from './stop-signals.ts';

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
