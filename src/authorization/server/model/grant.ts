import type { Brand } from '../../../kernel/brand.ts';
import type { Transaction } from '../../../kernel/database/database.ts';
import type { Scope } from '../../protocol/scope.ts';
import type { AccountId } from './account.ts';
import type { ClientId } from './client.ts';

export type GrantId = Brand<string, 'GrantId'>;

/** What a person allowed a client, until one of them takes it back. Every token of a person hangs on one. */
export type Grant = {
  readonly id: GrantId;
  readonly accountId: AccountId;
  readonly clientId: ClientId;
  readonly scope: readonly Scope[];
  /** The audiences its tokens are for (RFC 8707). */
  readonly resources: readonly string[];
  /** The session at the third party by which the person signed in, where there is one. */
  readonly thirdPartySessionId: string | undefined;
  readonly createdAt: number;
};

export type NewGrant = Omit<Grant, 'id' | 'createdAt'>;

/** What a code is bound to besides its grant: nobody but the asker can redeem it. */
export type CodeBinding = {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  /** Thumbprint of the key that the token request must prove (RFC 9449 section 10). */
  readonly dpopThumbprint: string | undefined;
};

/** Grants and the codes that carry them to the client. */
export type Grants = {
  /** Stores the grant and a code for it, in the transaction that ends the request of the person. */
  issueCode(tx: Transaction, grant: NewGrant, binding: CodeBinding): Promise<string>;
  /** Stores a grant that a device fetches by its device code. */
  create(tx: Transaction, grant: NewGrant): Promise<GrantId>;
  /** What a person has allowed, newest first. */
  list(accountId: AccountId): Promise<readonly Grant[]>;
  /** Revokes a grant and every token of it, at once here and within a second elsewhere. */
  revoke(grantId: GrantId): Promise<void>;
  /** Revokes everything a client holds, when it is removed. */
  revokeClient(clientId: ClientId): Promise<void>;
  /** Revokes everything a person allowed, in the transaction in which `remove` removes the account, if it does. */
  revokeAccount(accountId: AccountId, remove: (tx: Transaction) => Promise<boolean>): Promise<void>;
  revokeThirdPartySession(sessionId: string): Promise<void>;
};
