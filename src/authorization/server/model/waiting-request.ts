import type { Scope } from '../../protocol/scope.ts';
import type { ClientId } from './client.ts';

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

export type DeviceAnswer = { readonly deviceCodeId: string };
