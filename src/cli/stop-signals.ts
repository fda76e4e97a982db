import type { Writable } from 'node:stream';
import { type Clock, systemClock } from '../kernel/wait/clock.ts';
import { orLate } from '../kernel/wait/deadline.ts';
import type { Terminal } from './command.ts';

/**
 * Milliseconds within which further signals belong to the first one. A terminal signals all processes of its group at once, npm
 * passes the signal on to the server once more, and a service manager may send SIGTERM after SIGINT. A machine that is
 * busy delays them. A person who is impatient presses Ctrl-C again later, or goes on pressing it.
 */
export const oneStopMs = 2_000;

const interrupted = 130; // 128 + SIGINT, as shells count it

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

type SignalSystem = {
  on(signal: Signal, callback: () => void): unknown;
  exit(code: number): void;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Whether one of the standard streams is a terminal. None is any longer once their terminal has been closed. */
  isAtTerminal(): boolean;
};

/**
 * What a command may ask of signals. SIGTERM and SIGINT stop it, and so does SIGHUP if the terminal at which it was started
 * has been closed. A stop that is repeated after {@link oneStopMs} ends the process at once.
 */
export function followSignals({
  on,
  exit,
  clock,
  isAtTerminal,
}: SignalSystem): Pick<Terminal, 'onTerminate' | 'onReload'> {
  const wasAtTerminal = isAtTerminal();
  const stops: (() => void)[] = [];
  const reloads: (() => void)[] = [];
  let stoppedAt: number | undefined;

  function stop(): void {
    if (stoppedAt === undefined) {
      stoppedAt = clock.elapsed();
      for (const callback of stops) callback();
    } else if (clock.elapsed() - stoppedAt >= oneStopMs) exit(interrupted);
  }

  return {
    onTerminate(callback) {
      if (stops.push(callback) > 1) return;
      for (const signal of ['SIGTERM', 'SIGINT'] as const) on(signal, stop);
    },
    onReload(callback) {
      if (reloads.push(callback) > 1) return;
      on('SIGHUP', () => {
        if (wasAtTerminal && !isAtTerminal()) stop();
        else for (const reload of reloads) reload();
      });
    },
  };
}

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
