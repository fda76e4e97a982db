import { randomBytes } from 'node:crypto';

/** Where randomness comes from. Secrets and jitter both draw from the one that is handed in. */
export type Random = {
  bytes(length: number): Uint8Array;
  /** A number in [0, 1), for jitter; not for secrets. */
  fraction(): number;
};

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  fraction: () => Math.random(),
};
