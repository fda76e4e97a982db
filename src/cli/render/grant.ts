import { decodeJwt } from 'jose';
import type { HeldGrant } from '../../authorization/client/index.ts';
import { plainText } from './plain-text.ts';

/** What a server granted, without the tokens. The subject is read from the token and not verified. */
export function renderGrant(view: {
  serverUrl: string;
  grant: HeldGrant | undefined;
  isJson: boolean;
}): string {
  const { serverUrl, grant, isJson } = view;
  if (grant === undefined) {
    return isJson
      ? `${JSON.stringify({ server: serverUrl, signedIn: false })}\n`
      : `Nothing is kept for ${serverUrl}: it asked for no sign-in, or tradewind login was not run.\n`;
  }
  const { issuer, resource, clientId, scope } = grant;
  const subject = subjectOf(grant.accessToken);
  const expires =
    grant.expiresAt === undefined ? undefined : new Date(grant.expiresAt).toISOString();
  if (isJson) {
    const facts = { server: serverUrl, signedIn: true, issuer, resource, clientId, subject };
    return `${JSON.stringify({ ...facts, scope: scope.join(' '), expires })}\n`;
  }
  const facts = [
    ['Server', serverUrl],
    ['Issuer', issuer],
    ['Subject', subject],
    ['Client', clientId],
    ['Scope', scope.join(' ') || 'as the server chose'],
    ['Expires', expires],
  ];
  const shown = facts.flatMap(([name = '', value]) =>
    value === undefined ? [] : [`  ${name.padEnd(8)}  ${plainText(value)}\n`],
  );
  return `\n${shown.join('')}\n`;
}

function subjectOf(accessToken: string): string | undefined {
  try {
    return decodeJwt(accessToken).sub;
  } catch {
    return undefined; // most tokens are not JWTs
  }
}
