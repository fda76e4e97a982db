import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Catalogue } from '../model/application.ts';
import type { BackgroundWork } from './background-work.ts';

/** What operations are run and read with. */
export type OperationContext = {
  readonly database: Database;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  /** Host and port of the public URL, the domain of errors (E8.20). */
  readonly errorDomain: string;
  readonly background: BackgroundWork;
};
