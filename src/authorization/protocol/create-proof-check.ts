import type { Clock } from '../../kernel/time/clock.ts';
import { type ProvenRequest, readDpopProof, refusedProof } from './dpop-proof.ts';

/** Returns the thumbprint of the key that signed a proof. Accepts each proof once. */
export type CheckProof = (proof: string, request: Omit<ProvenRequest, 'now'>) => Promise<string>;

/** Checks DPoP proofs, and that none is used twice (A12). Throws `invalid_dpop_proof`. */
export function createProofCheck(options: {
  /** Returns whether an id is used for the first time. */
  readonly spendId: (id: string, expiresAt: number) => Promise<boolean>;
  readonly clock: Clock;
}): CheckProof {
  const { spendId, clock } = options;
  return async (text, request) => {
    const { thumbprint, id, expiresAt } = await readDpopProof(text, {
      ...request,
      now: clock.now(),
    });
    if (await spendId(id, expiresAt)) return thumbprint;
    throw refusedProof('was used before');
  };
}
