import { asciiText } from '../protocol/ascii-text.ts';
import { signingAlgorithms } from '../protocol/signing-algorithms.ts';

export type Challenge = {
  readonly scheme: 'Bearer' | 'DPoP';
  /** Absent when the request carried no token at all (RFC 6750 section 3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope' | 'invalid_dpop_proof';
  readonly errorDescription?: string;
  readonly scope?: readonly string[];
  /** The protected-resource metadata document (RFC 9728 section 5.1). */
  readonly resourceMetadata?: string | undefined;
};

/**
 * The value of `WWW-Authenticate` that tells a client what is missing. Quotes become apostrophes,
 * and all but printable ASCII becomes question marks: a header can hold nothing else.
 */
export function writeChallenge(challenge: Challenge): string {
  const { scheme, error, errorDescription, scope, resourceMetadata } = challenge;
  const parameters = {
    error,
    error_description: errorDescription,
    scope: scope === undefined || scope.length === 0 ? undefined : scope.join(' '),
    resource_metadata: resourceMetadata,
    // RFC 9449 section 7.1
    algs: scheme === 'DPoP' ? signingAlgorithms.join(' ') : undefined,
  };
  const written = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${asciiText(String(value))}"`);
  return [scheme, written.join(', ')].filter(Boolean).join(' ');
}
