import type { Brand } from '../../../kernel/brand.ts';

export type AccountId = Brand<string, 'AccountId'>;

/** Somebody who can sign in: by password, by wallet or through the third party. */
export type Account = {
  readonly id: AccountId;
  /** What people call it: `owner`, a name given by the owner, a short address, the name at the third party. */
  readonly name: string;
  readonly isOwner: boolean;
};
