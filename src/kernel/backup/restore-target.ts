import type { Opener } from '../crypto/open-master-key.ts';

/** Where rows are restored to. Opened only if that is allowed; `close` releases it. */
export type RestoreTarget = {
  readonly database: string;
  /** What will open the master key there; absent if the backup's own key is restored with it. */
  readonly opener: Opener | undefined;
  /** Replaces the database by the copy, which is on the same disk as an embedded file. */
  replaceBy(copy: string, key: string | undefined): Promise<void>;
  close(): Promise<void>;
};
