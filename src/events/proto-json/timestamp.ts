const timestampShape =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

// google.protobuf.Timestamp: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z.
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Epoch milliseconds of an RFC 3339 timestamp with any offset (E2.42); undefined if the text is not
 * one, such as the 30th of February or a leap second. Fractions of a millisecond are dropped.
 */
export function parseTimestamp(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] =
    timestampShape.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const local = Date.parse(`${date}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // Date takes the 30th of February for the 1st of March, and 24:00 for midnight.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(date)) return undefined;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return undefined;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000;
  const instant = sign === '-' ? local + offset : local - offset;
  return instant >= earliest && instant <= latest ? instant : undefined;
}

/** RFC 3339 in UTC with 0 or 3 fractional digits (E2.42), as ProtoJSON writes milliseconds. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
