import type { Random } from '../kernel/model/random.ts';
import type { DataDirectory } from '../kernel/process/data-directory.ts';
import type { Health } from '../kernel/process/supervisor.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import type { SteadyClock } from '../kernel/wait/clock.ts';
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
