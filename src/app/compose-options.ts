import type { DataDirectory } from '../kernel/files/data-directory.ts';
import type { Health } from '../kernel/lifecycle/health.ts';
import type { Logger } from '../kernel/logging/logger.ts';
import type { Metrics } from '../kernel/metrics/metrics.ts';
import type { Random } from '../kernel/random/random.ts';
import type { SteadyClock } from '../kernel/time/steady-clock.ts';
import type { Config } from './settings/all-settings.ts';

/** What a process is composed from. */
export type ComposeOptions = {
  readonly config: Config;
  readonly publicUrl: URL;
  /** Whether only this machine can reach the process, so it may offer what others must not use. */
  readonly isLoopback: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly clock: SteadyClock;
  readonly random: Random;
};

/** The same, once the data directory may be touched. */
export type EnteredOptions = ComposeOptions & { readonly dataDir: DataDirectory };
