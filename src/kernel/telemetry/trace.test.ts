import { expect, it } from 'vitest';
import { parseTraceParent, writeTraceParent } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

it('reads a trace of this version and of later ones, and writes it again [T5]', () => {
  const place = { traceId, spanId, isSampled: true };
  expect(parseTraceParent(writeTraceParent(place))).toEqual(place);
  expect(parseTraceParent(`00-${traceId}-${spanId}-00`)).toEqual({ ...place, isSampled: false });
  expect(parseTraceParent(`cc-${traceId}-${spanId}-09-what-comes`)).toEqual(place);
});

it.each([
  undefined,
  '',
  traceId,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-1`,
])('begins a trace of its own where the header is %s', (header) => {
  expect(parseTraceParent(header)).toBeUndefined();
});
