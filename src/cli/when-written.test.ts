import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fake-clock.ts';
import { whenWritten } from './when-written.ts';

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
