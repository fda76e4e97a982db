import type { Brand } from '../../kernel/model/brand.ts';
import type { Scope } from '../protocol/scope.ts';
import type { Client, ClientId } from './client.ts';

/** What is kept of a request while a person decides. */
export type WaitingRequest = {
  readonly clientId: ClientId;
  readonly scope: readonly Scope[];
  readonly resources: readonly string[];
  /** How the answer reaches whoever asked: by the browser, or fetched by a device. */
  readonly answer: BrowserAnswer | DeviceAnswer;
  readonly mustSignIn: boolean;
  readonly loginHint?: string | undefined;
};

export type BrowserAnswer = {
  readonly redirectUri: string;
  readonly state?: string | undefined;
  readonly codeChallenge: string;
  readonly dpopThumbprint?: string | undefined;
};

type DeviceAnswer = { readonly deviceCodeId: string };

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
