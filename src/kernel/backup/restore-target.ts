import type { Opener } from '../crypto/open-master-key.ts';

/** Where rows are restored to. Made only where that is allowed; `close` gives it free. */
export type RestoreTarget = {
  readonly database: string;
  /** What shall open the master key there; absent where the backup's own key goes along. */
  readonly opener: Opener | undefined;
  /** Replaces what is there by the copy, which is on the same disk as an embedded file. */
  replaceBy(copy: string, key: string | undefined): Promise<void>;
  close(): Promise<void>;
};
