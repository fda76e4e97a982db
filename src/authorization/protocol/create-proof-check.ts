import type { Clock } from '../../kernel/time/clock.ts';
import { type ProvenRequest, readDpopProof, refusedProof } from './dpop-proof.ts';

/**
 * Uses up an id that works once, and returns whether this was the first use. Each caller has a share of what is remembered
 * (N23): throws `temporarily_unavailable` beyond it.
 */
export type SpendId = (id: string, expiresAt: number, caller: string) => Promise<boolean>;

/** Returns the thumbprint of the key that signed a proof. Accepts each proof once. */
export type CheckProof = (
  proof: string,
  request: Omit<ProvenRequest, 'now'> & {
    /** Whose share of the remembered proofs it takes. */
    readonly caller: string;
  },
) => Promise<string>;

/** Checks DPoP proofs, and that none is used twice (A12). Throws `invalid_dpop_proof`. */
export function createProofCheck(options: {
  readonly spendId: SpendId;
  readonly clock: Clock;
}): CheckProof {
  const { spendId, clock } = options;
  return async (text, { caller, ...request }) => {
    const { thumbprint, id, expiresAt } = await readDpopProof(text, {
      ...request,
      now: clock.now(),
    });
    if (await spendId(id, expiresAt, caller)) return thumbprint;
    throw refusedProof('was used before');
  };
}
