import { onBehalfOfAll } from '../../kernel/cancel/presence.ts';
import { isDiskFull } from '../../kernel/database/database-error.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { orLate } from '../../kernel/time/or-late.ts';

export type StoreProbeOptions = {
  /** Writes to the store; rejects where that is not possible. */
  readonly beat: () => Promise<void>;
  readonly clock: Clock;
};

/** Why the store cannot be written, by part; empty when a write has just succeeded. */
export type StoreProbe = () => Promise<Readonly<Record<string, string>>>;

// Shorter than the time after which common probes give up.
const patience = 2_000;
/** Milliseconds for which an answer holds, so that frequent probes do not cost a write each. */
const validity = 1_000;

/** Probes the store with a real write (N10). All probes within one second share one write. */
export function createStoreProbe({ beat, clock }: StoreProbeOptions): StoreProbe {
  let latest: { readonly at: number; readonly found: ReturnType<StoreProbe> } | undefined;

  const probe: StoreProbe = () => {
    const written = onBehalfOfAll(beat).then(
      () => ({}),
      (error: unknown) => ({
        database: isDiskFull(error) ? 'cannot be written, its disk is full' : 'cannot be written',
      }),
    );
    return orLate(written, {
      clock,
      milliseconds: patience,
      late: () => ({ database: 'does not answer in time' }),
    });
  };

  return () => {
    const now = clock.elapsed();
    if (latest === undefined || now - latest.at > validity) latest = { at: now, found: probe() };
    return latest.found;
  };
}
