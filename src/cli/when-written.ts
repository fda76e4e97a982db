import type { Writable } from 'node:stream';
import { type Clock, systemClock } from '../kernel/time/clock.ts';
import { orLate } from '../kernel/time/or-late.ts';

/** Resolves once the system has accepted everything that was written, or after `patienceMs` if a reader is slow. */
export async function whenWritten(
  streams: readonly Pick<Writable, 'write'>[],
  options: { readonly patienceMs: number; readonly clock?: Clock },
): Promise<void> {
  const { patienceMs, clock = systemClock } = options;
  const written = streams.map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  await orLate(Promise.all(written), { clock, milliseconds: patienceMs, late: () => [] });
}
