import type { Database } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Finding } from './finding.ts';

// Receivers of webhooks and checkers of tokens commonly allow a minute.
const tolerance = 60_000;
const thisReleaseWasMade = Date.UTC(2026, 10, 1);

/** Whether the clock can be right: later than this release, and close to that of PostgreSQL if used. */
export async function checkClock(clock: Clock, database: Database | undefined): Promise<Finding> {
  const now = clock.now();
  const shown = new Date(now).toISOString();
  const mend = 'set the clock, and keep it set with NTP';
  if (now < thisReleaseWasMade) {
    return { check: 'clock', ok: false, detail: `${shown} is earlier than this release`, mend };
  }
  const time = database?.dialect.time;
  if (database === undefined || time === undefined) {
    return { check: 'clock', ok: true, detail: shown };
  }
  const row = await database
    .first<{ now: number }>(sql`SELECT ${time} AS now`)
    .catch(() => undefined); // lost since the check of the database: nothing to compare with
  if (row === undefined) return { check: 'clock', ok: true, detail: shown };
  const drift = Math.abs(row.now - now);
  const detail = `${shown}, ${Math.round(drift)} ms from the clock of PostgreSQL`;
  return drift <= tolerance
    ? { check: 'clock', ok: true, detail }
    : { check: 'clock', ok: false, detail, mend };
}
