const [dayMs, hourMs, minuteMs] = [86_400_000, 3_600_000, 60_000];
/** From 0000-03-01 to 1970-01-01: a year that begins in March has its leap day at its end. */
const daysBefore1970 = 719_468;
const [daysIn400Years, daysIn100Years, daysIn4Years] = [146_097, 36_524, 1_461];

/**
 * Formats a time as RFC 3339 with milliseconds, as `toISOString` does for the years 0 to 9999. That call would be an
 * eighth of the cost of an event in a batch.
 */
export function formatTime(milliseconds: number): string {
  const day = Math.floor(milliseconds / dayMs);
  const time = milliseconds - day * dayMs;
  const since = day + daysBefore1970;
  const era = Math.floor(since / daysIn400Years);
  const dayOfEra = since - era * daysIn400Years;
  const leapDays =
    Math.floor(dayOfEra / (daysIn4Years - 1)) -
    Math.floor(dayOfEra / daysIn100Years) +
    Math.floor(dayOfEra / (daysIn400Years - 1));
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // Five months in a row, from March and again from August, have 153 days.
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const hour = Math.floor(time / hourMs);
  const minute = Math.floor((time % hourMs) / minuteMs);
  const second = Math.floor((time % minuteMs) / 1_000);
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(dayOfMonth, 2)}`;
  return `${date}T${digits(hour, 2)}:${digits(minute, 2)}:${digits(second, 2)}.${digits(time % 1_000, 3)}Z`;
}

function digits(value: number, count: number): string {
  if (count === 2) return value < 10 ? `0${value}` : `${value}`;
  return `${value}`.padStart(count, '0');
}
