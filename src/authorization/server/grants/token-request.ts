import type { Form } from '../../protocol/read-form.ts';
import type { Scope } from '../../protocol/scope.ts';
import type { Client } from '../model/client.ts';

/** A request at the token endpoint whose client is authenticated. */
export type TokenRequest = {
  readonly client: Client;
  readonly form: Form;
  /** Thumbprint of the key that the request proved to hold (RFC 9449), where it did. */
  readonly dpopThumbprint: string | undefined;
};

/** The answer of RFC 6749 section 5.1. */
export type TokenAnswer = {
  readonly access_token: string;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
};

/** Issues tokens for one grant type, or throws the refusal. */
export type GrantHandler = (request: TokenRequest) => Promise<TokenAnswer>;

/** What a handler knows for the claims of a token. */
export type TokenContent = {
  readonly scope: readonly Scope[];
  readonly audiences: readonly string[];
};
