import { decodeJwt } from 'jose';
import type { HeldGrant } from '../../authorization/client/index.ts';
import { plainText } from '../plain-text.ts';

/** What a server granted, without the tokens. Subjects are read from the tokens and not verified. */
export function renderGrants(view: {
  server: string;
  grants: readonly HeldGrant[];
  isJson: boolean;
}): string {
  const { server, grants, isJson } = view;
  const described = grants.map(describe);
  if (isJson) {
    const signedIn = grants.length > 0;
    return `${JSON.stringify({ server, signedIn, grants: described })}\n`;
  }
  return grants.length === 0
    ? `No grant is kept for ${server}: if it asks for a sign-in, sign in with tradewind login.\n`
    : `\n${described.map((grant) => `${tabulate(grant)}\n`).join('')}`;
}

type Description = ReturnType<typeof describe>;

function describe({ server, issuer, resource, clientId, scope, ...rest }: HeldGrant) {
  const { accessToken, expiresAt } = rest;
  return {
    server,
    issuer,
    resource,
    clientId,
    subject: subjectOf(accessToken),
    scope: scope.join(' '),
    expires: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  };
}

function tabulate({ server, resource = server, ...grant }: Description): string {
  const { issuer, clientId, subject, scope, expires } = grant;
  const facts = [
    ['Server', resource],
    ['Issuer', issuer],
    ['Subject', subject],
    ['Client', clientId],
    ['Scope', scope || 'as the server chose'],
    ['Expires', expires],
  ];
  return facts
    .flatMap(([name = '', value]) =>
      value === undefined ? [] : [`  ${name.padEnd(8)}  ${plainText(value)}\n`],
    )
    .join('');
}

/** The subject that a token claims, not verified. */
export function subjectOf(accessToken: string): string | undefined {
  try {
    return decodeJwt(accessToken).sub;
  } catch {
    return undefined; // most tokens are not JWTs
  }
}
