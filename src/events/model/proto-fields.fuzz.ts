import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../tests/support/property-runs.ts';
import {
  formatDuration,
  formatTimestamp,
  fromDurationParts,
  parseDuration,
  parseFieldMask,
  parseTimestamp,
} from './proto-fields.ts';

const instants = fc.integer({
  min: Date.parse('0001-01-02T00:00:00Z'),
  max: Date.parse('9999-12-30T23:59:59Z'),
});

test('a written timestamp is read as it was, at any offset and precision [E2.42]', () => {
  const offsets = fc.integer({ min: -23 * 60, max: 23 * 60 });
  const finer = fc.stringMatching(/^\d{0,6}$/);
  fc.assert(
    fc.property(instants, offsets, finer, (instant, minutes, digits) => {
      const written = formatTimestamp(instant);
      expect(written).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
      expect(parseTimestamp(written)).toBe(instant);
      const local = new Date(instant + minutes * 60_000).toISOString().slice(0, -1);
      const two = (value: number) => String(value).padStart(2, '0');
      const size = Math.abs(minutes);
      const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
      expect(parseTimestamp(`${local}${digits}${offset}`)).toBe(instant);
    }),
    propertyRuns,
  );
});

test('whatever is taken for a timestamp is one that Date knows too [E2.42]', () => {
  const texts = fc.stringMatching(
    /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d{1,9})?(Z|[+-][0-2]\d:[0-6]\d)$/,
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = parseTimestamp(text);
      if (read !== undefined) expect(read).toBe(Math.floor(Date.parse(text)));
    }),
    propertyRuns,
  );
});

test('a written duration is read as it was, in both forms [E2.43, E3.22]', () => {
  const spans = fc.integer({ min: -315_576_000_000, max: 315_576_000_000 });
  fc.assert(
    fc.property(spans, (milliseconds) => {
      const expected = milliseconds === 0 ? 0 : milliseconds;
      expect(parseDuration(formatDuration(milliseconds))).toBe(expected);
      const seconds = Math.trunc(milliseconds / 1_000);
      const nanos = (milliseconds % 1_000) * 1_000_000;
      expect(fromDurationParts({ seconds: String(seconds), nanos })).toBe(expected);
    }),
    propertyRuns,
  );
});

test('a mask means the same in either case and however often it repeats a path [E3.16]', () => {
  const camel = fc.stringMatching(/^[a-z]{1,5}([A-Z][a-z]{1,4}){0,3}$/);
  const paths = fc.array(camel, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(paths, (given) => {
      const snake = given.map((path) =>
        path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      );
      const unique = [...new Set(given)];
      expect(parseFieldMask(given.join(','))).toEqual(unique);
      expect(parseFieldMask([...snake, ...given].join(','))).toEqual(unique);
    }),
    propertyRuns,
  );
});
