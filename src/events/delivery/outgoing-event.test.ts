import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime } from './outgoing-event.ts';

test('writes any time as a date would, also after others of the same second', () => {
  const times = fc.integer({
    min: Date.parse('0001-01-01T00:00:00Z'),
    max: Date.parse('9999-12-31T23:59:59.998Z'),
  });
  fc.assert(
    fc.property(times, (time) => {
      for (const one of [time, time + 1, time]) {
        expect(formatTime(one)).toBe(new Date(one).toISOString());
      }
    }),
  );
});
