import { rememberAnswers } from '../../kernel/memory/remember-answers.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { AccessTokenClaims } from '../protocol/access-token.ts';
import type { IssuerEndpoints } from './create-issuer-keys.ts';
import { readJson } from './read-json.ts';

export type IntrospectionOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly endpoints: () => Promise<IssuerEndpoints>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
};

/** A revoked token is refused within a second. */
const answersKeptFor = 1_000;
const answersKept = 10_000;

/** Asks the authorization server whether a token is still active (RFC 7662), at most once a second for each token. */
export function createIntrospection(options: IntrospectionOptions) {
  const { clientId, clientSecret, endpoints, clock } = options;
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const headers = {
    Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const answers = rememberAnswers<boolean>({ keptFor: answersKeptFor, most: answersKept, clock });

  return ({ jti }: AccessTokenClaims, token: string): Promise<boolean> =>
    answers.get(jti, () => ask(token));

  async function ask(token: string): Promise<boolean> {
    const { introspection } = await endpoints();
    const body = new URLSearchParams({ token }).toString();
    const answer = await readJson(options, introspection, { method: 'POST', headers, body });
    return answer?.active === true;
  }
}
