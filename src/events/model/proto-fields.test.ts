import { describe, expect, test } from 'vitest';
import {
  formatDuration,
  formatTimestamp,
  fromDurationParts,
  parseDuration,
  parseFieldMask,
  parseTimestamp,
} from './proto-fields.ts';
import { normalizeNames } from './proto-json.ts';

describe('timestamps', () => {
  test.each([
    ['2026-01-31T12:00:00Z', Date.UTC(2026, 0, 31, 12)],
    ['2026-01-31T12:00:00.5Z', Date.UTC(2026, 0, 31, 12, 0, 0, 500)],
    ['2026-01-31T12:00:00.123456789Z', Date.UTC(2026, 0, 31, 12, 0, 0, 123)],
    ['2026-01-31T12:00:00+02:30', Date.UTC(2026, 0, 31, 9, 30)],
    ['2026-01-31t12:00:00-01:00', Date.UTC(2026, 0, 31, 13)],
    ['2024-02-29T00:00:00z', Date.UTC(2024, 1, 29)],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ])('take %s [E2.42]', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });

  test.each([
    '2026-01-31',
    '2026-01-31T12:00Z',
    '2026-01-31T12:00:00',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-06-30T23:59:60Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00.1234567890Z',
    '0001-01-01T00:00:00+01:00',
    ' 2026-01-31T12:00:00Z',
    '1767225600000',
  ])('refuse %s [E2.42]', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test('are written with no fraction or with three digits [E2.42]', () => {
    expect(formatTimestamp(Date.UTC(2026, 0, 1))).toBe('2026-01-01T00:00:00Z');
    expect(formatTimestamp(Date.UTC(2026, 0, 1) + 20)).toBe('2026-01-01T00:00:00.020Z');
  });
});

describe('durations', () => {
  test.each([
    ['3600s', 3_600_000],
    ['1.5s', 1_500],
    ['0s', 0],
    ['-0s', 0],
    ['-1.25s', -1_250],
    ['0.000999999s', 0],
    ['315576000000s', 315_576_000_000_000],
  ])('take %s [E2.43]', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  test.each(['3600', '1h', '', 's', '1.s', '.5s', '1.0000000001s', '1e3s', '315576000001s', ' 1s'])(
    'refuse "%s" [E2.43]',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test('are taken as objects too [E3.22]', () => {
    expect(fromDurationParts({ seconds: 0 })).toBe(0);
    expect(fromDurationParts({ seconds: '3600', nanos: 500_000_000 })).toBe(3_600_500);
    expect(fromDurationParts({})).toBe(0);
    expect(fromDurationParts({ seconds: 1, nanos: -1 })).toBeUndefined();
    expect(fromDurationParts({ nanos: 1_000_000_000 })).toBeUndefined();
    expect(fromDurationParts({ seconds: '1.5' })).toBeUndefined();
  });

  test('are written without zeros at the end [E2.43]', () => {
    expect([60_000, 1_500, 0, 1].map(formatDuration)).toEqual(['60s', '1.5s', '0s', '0.001s']);
  });
});

test('masks are read in either case, each path once [E3.16]', () => {
  expect(parseFieldMask('ttl, event_types,eventTypes')).toEqual(['ttl', 'eventTypes']);
  expect(parseFieldMask('message.create_time')).toEqual(['message.createTime']);
  expect(parseFieldMask('*')).toEqual(['*']);
  expect(parseFieldMask('')).toEqual([]);
  for (const bad of ['a b', 'a,,b', '.a', 'a.', 'a(b)', 'a/b', '1a']) {
    expect(parseFieldMask(bad)).toBeUndefined();
  }
});

test('names are read in either case, and null as absent [E2.39, E2.41]', () => {
  const { value, givenTwice } = normalizeNames({
    event_types: ['a', null],
    notification_endpoint: { pubsub_topic: 't', webhook: null },
    targetResource: 'x',
    target_resource: 'y',
  });
  expect(value).toMatchObject({
    eventTypes: ['a', null],
    notificationEndpoint: { pubsubTopic: 't' },
  });
  expect(value).not.toHaveProperty('notificationEndpoint.webhook');
  expect(givenTwice).toEqual(['targetResource']);
});

test('__proto__ and constructor are names like any other [E2.40]', () => {
  const { value } = normalizeNames(JSON.parse('{"__proto__": {"state": 1}, "constructor": 2}'));
  expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
});
