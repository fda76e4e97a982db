const durationShape = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;

// google.protobuf.Duration: about 10,000 years either way.
const longestSeconds = 315_576_000_000;

/**
 * Milliseconds of a duration such as `3600s` or `1.5s` (E2.43); undefined if the text is not a duration. Fractions of a
 * millisecond are dropped.
 */
export function parseDuration(text: string): number | undefined {
  const [, sign, seconds, fraction = ''] = durationShape.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  return combine({
    isNegative: sign === '-',
    seconds: Number(seconds),
    milliseconds: Number(fraction.padEnd(3, '0').slice(0, 3)),
  });
}

/** The same for the object form `{"seconds": 3600, "nanos": 0}` that the public guides send (E3.22). */
export function fromDurationParts(parts: {
  seconds?: number | string | undefined;
  nanos?: number | undefined;
}): number | undefined {
  const [seconds, nanos] = [Number(parts.seconds ?? 0), parts.nanos ?? 0];
  if (!Number.isSafeInteger(seconds) || !Number.isSafeInteger(nanos)) return undefined;
  if (Math.abs(nanos) > 999_999_999) return undefined;
  // Both parts of one duration have the same sign.
  if (seconds * nanos < 0) return undefined;
  return combine({
    isNegative: seconds < 0 || nanos < 0,
    seconds: Math.abs(seconds),
    milliseconds: Math.trunc(Math.abs(nanos) / 1_000_000),
  });
}

/** `3600s` or `1.5s`, without zeros at the end. */
export function formatDuration(milliseconds: number): string {
  return `${milliseconds / 1_000}s`;
}

function combine(parts: { isNegative: boolean; seconds: number; milliseconds: number }) {
  if (parts.seconds > longestSeconds) return undefined;
  const total = parts.seconds * 1_000 + parts.milliseconds;
  return parts.isNegative && total !== 0 ? -total : total;
}
