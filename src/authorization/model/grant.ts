import type { Brand } from '../../kernel/model/brand.ts';
import type { Scope } from '../protocol/scope.ts';
import type { AccountId } from './account.ts';
import type { ClientId } from './client.ts';

export type GrantId = Brand<string, 'GrantId'>;

/** What a person allowed a client, until one of them revokes it. Every token of a person belongs to one. */
export type Grant = {
  readonly id: GrantId;
  readonly accountId: AccountId;
  readonly clientId: ClientId;
  readonly scope: readonly Scope[];
  /** The audiences its tokens are for (RFC 8707). */
  readonly resources: readonly string[];
  /** The session at the identity provider by which the person signed in, where there is one. */
  readonly identityProviderSessionId: string | undefined;
  /** The browser session in which the person allowed it: ending it can revoke the grant (T3). */
  readonly sessionId?: string | undefined;
  readonly createdAt: number;
};

export type NewGrant = Omit<Grant, 'id' | 'createdAt'>;

/** What a code is bound to besides its grant, so that only the client that asked can redeem it. */
export type CodeBinding = {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  /** Thumbprint of the key that the token request must prove (RFC 9449 section 10). */
  readonly dpopThumbprint: string | undefined;
};

/** The longest lifetime that can be set for access tokens. Revocations are remembered as long. */
export const longestAccessToken = 3_600_000;

/** How long a code may wait (R1; RFC 6749 section 4.1.2 asks for at most ten minutes). */
export const codeLifetime = 60_000;

/** How long a person has to allow what a device asks for, and the device to fetch it. */
export const deviceCodeLifetime = 600_000;
