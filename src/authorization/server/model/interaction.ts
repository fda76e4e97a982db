import type { Brand } from '../../../kernel/brand.ts';
import type { AuthorizationErrorCode } from '../../authorization-error.ts';
import type { Scope } from '../../protocol/scope.ts';
import type { AccountId } from './account.ts';
import type { Client } from './client.ts';

export type InteractionId = Brand<string, 'InteractionId'>;

/** An authorization request that passed every check and waits for a person's decision. */
export type Interaction = {
  readonly id: InteractionId;
  readonly client: Client;
  /** Absent for a device, which fetches the answer itself. */
  readonly redirectUri: string | undefined;
  readonly scope: readonly Scope[];
  readonly resources: readonly string[];
  /** When it was asked for. */
  readonly createdAt: number;
  /** The person must sign in anew: a session that began before `createdAt` does not do. */
  readonly mustSignIn: boolean;
  readonly loginHint: string | undefined;
};

/** Who decided, and how they had signed in. */
export type Approval = {
  readonly accountId: AccountId;
  /** What the person allowed, at most what was asked. */
  readonly scope: readonly Scope[];
  readonly thirdPartySessionId: string | undefined;
};

/**
 * The requests that wait for people. Each can be decided once: of several decisions at the same time
 * one counts, and the others find no interaction.
 */
export type Interactions = {
  find(id: string): Promise<Interaction | undefined>;
  /** The interaction of a device, by the code its person types in (RFC 8628 section 3.3). */
  findByUserCode(userCode: string): Promise<Interaction | undefined>;
  /** Stores the grant and answers where the browser goes with the code; for a device, nowhere. */
  allow(id: InteractionId, approval: Approval): Promise<URL | undefined>;
  /** Answers where the browser goes with the error; for a device, nowhere. */
  deny(
    id: InteractionId,
    code: AuthorizationErrorCode,
    description: string,
  ): Promise<URL | undefined>;
};
