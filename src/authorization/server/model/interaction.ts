import type { Brand } from '../../../kernel/brand.ts';
import type { Scope } from '../../protocol/scope.ts';
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
  /** The person must sign in again: a session that began before `createdAt` is not enough. */
  readonly mustSignIn: boolean;
  readonly loginHint: string | undefined;
};
