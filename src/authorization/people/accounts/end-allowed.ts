import type { Transaction } from '../../../kernel/database/database.ts';
import { writeOutbox } from '../../../kernel/work/outbox.ts';
import type { GrantChange } from '../../grants/grants.ts';
import type { AccountId } from '../../model/account.ts';
import type { Grant } from '../../model/grant.ts';

/**
 * Revokes everything that a person allowed, and ends what was made with it, whether or not a grant is left (F86).
 * Returns what was revoked.
 */
export async function endAllowed(
  { tx, revoke }: GrantChange,
  { accountId, now }: { readonly accountId: AccountId; readonly now: number },
): Promise<readonly Grant[]> {
  const gone = await revoke({ accountId });
  await tellOf(tx, { accountId, now, stillHeld: [] });
  return gone;
}

/** Publishes what a person may still allow at most, since there need be no grant left to revoke (F49). */
export function tellOf(
  tx: Transaction,
  change: {
    readonly accountId: AccountId;
    readonly now: number;
    readonly stillHeld: readonly string[];
  },
): Promise<void> {
  const { accountId, now, stillHeld } = change;
  const payload = { accountId, stillHeld, at: now };
  const topic = 'authorization.person-changed';
  return writeOutbox(tx, { topic, key: accountId, payload, occurredAt: now });
}
