import { AuthorizationError } from '../authorization-error.ts';
import type { Client } from '../model/client.ts';
import type { Form } from '../protocol/form.ts';
import { isAudienceOf, readOwnResources } from '../protocol/resource.ts';
import type { Scope, Scopes } from '../protocol/scope.ts';

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

/**
 * The scope of a token: what the request asks for, or `usual` where it asks for nothing.
 * Words that are no scope of this server are ignored. Throws `invalid_scope` when it asks for more
 * than is allowed, or for nothing known (A12).
 */
export function narrowScope(
  form: Form,
  rules: { scopes: Scopes; allowed: readonly Scope[]; usual?: readonly Scope[] },
): readonly Scope[] {
  const { scopes, allowed, usual = allowed } = rules;
  const text = form.get('scope');
  // A scope that was removed since it was granted no longer counts.
  const asked = text === undefined ? usual.filter(scopes.has) : scopes.parse(text);
  const excess = asked.filter((scope) => !allowed.includes(scope));
  if (asked.length > 0 && excess.length === 0) return asked;
  const wrong = excess.length > 0 ? excess.join(' ') : (text ?? '').slice(0, 200);
  throw new AuthorizationError(
    'invalid_scope',
    `The scope "${wrong}" is not among those allowed, which are "${allowed.join(' ')}": ask for some of them, or leave scope out.`,
  );
}

type AudienceRules = {
  /** Of this server. */
  readonly origin: string;
  readonly granted: readonly string[];
  readonly usual?: readonly string[];
};

/**
 * The audiences of a token: the resources that the request names, or `usual` where it names none.
 * Throws `invalid_target` for a resource that no granted one includes (A4, RFC 8707
 * section 2.2): a token can never reach further than its grant.
 */
export function narrowAudiences(
  form: Form,
  { origin, granted, usual = granted }: AudienceRules,
): readonly string[] {
  const asked = readOwnResources(form, origin);
  const excess = asked.find((resource) => !granted.some((one) => isAudienceOf(one, resource)));
  if (excess === undefined) return asked.length > 0 ? asked : usual;
  throw new AuthorizationError(
    'invalid_target',
    `The resource "${excess.slice(0, 200)}" is not among those granted, which are ${granted.join(', ')}: ask for one of them, or authorize again for this one.`,
  );
}
