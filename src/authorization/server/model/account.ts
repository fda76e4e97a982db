import type { Brand } from '../../../kernel/brand.ts';
import { drawHex } from '../../../kernel/draw-text.ts';
import type { Random } from '../../../kernel/random.ts';

export type AccountId = Brand<string, 'AccountId'>;

/** Somebody who can sign in: by password, by wallet or through the identity provider. */
export type Account = {
  readonly id: AccountId;
  /** What people call it: `owner`, a name given by the owner, a short address, the name at the identity provider. */
  readonly name: string;
  readonly isOwner: boolean;
};

/** A new account's id, which becomes the subject of its tokens and tells nothing of the person. */
export function newAccountId(random: Random): AccountId {
  // Besides the owner's, ids of accounts are made here alone.
  return drawHex(random, 16) as AccountId;
}
