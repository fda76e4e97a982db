/**
 * A redirect URI with the answer in its query, after what the client had there already. The issuer is
 * part of every answer, errors included (RFC 9207), so that a client can tell servers apart.
 */
export function answerUrl(
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>> & { readonly iss: string },
): URL {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) query.set(name, value);
  }
  // Appended as text, because the URL interface would rewrite the client's own query.
  const separator = redirectUri.includes('?') ? '&' : '?';
  return new URL(`${redirectUri}${separator}${query}`);
}
