import type { Brand } from '../../../kernel/brand.ts';
import { drawHex } from '../../../kernel/random/draw-text.ts';
import type { Random } from '../../../kernel/random/random.ts';

export type AccountId = Brand<string, 'AccountId'>;

/**
 * What a person may do here (T3). A member decides about what is their own; an admin manages the server and grants
 * scopes for admins; an owner also manages owners.
 */
export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

/** Somebody who can sign in: by password, by wallet or through the identity provider. */
export type Account = {
  readonly id: AccountId;
  /** What people call it: `owner`, a name given by an admin, a short address, the name at the identity provider. */
  readonly name: string;
  readonly role: Role;
};

/** Whether somebody manages this server. */
export function isAdmin({ role }: Pick<Account, 'role'>): boolean {
  return role !== 'member';
}

/** A new account's id, which becomes the subject of its tokens and tells nothing of the person. */
export function newAccountId(random: Random): AccountId {
  // Besides the owner's, ids of accounts are made here alone.
  return drawHex(random, 16) as AccountId;
}
