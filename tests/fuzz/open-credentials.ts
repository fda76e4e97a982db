const everything = 'swap.read subscriptions.read subscriptions.write events.publish';

/** What clients of the fuzzer may do: each alone, and all together. */
const scopes = [
  'swap.read',
  'subscriptions.read',
  'subscriptions.write',
  'events.publish',
  everything,
  everything,
];

/** Tokens of several clients, so that the quota of one does not end the run. */
export async function openCredentials(issuer: URL): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    for (const scope of scopes) tokens.push(await askForToken(issuer, scope));
  }
  return tokens;
}

async function askForToken(issuer: URL, scope: string): Promise<string> {
  const registration = await fetch(new URL('/register', issuer), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
      scope,
    }),
  });
  const client = (await registration.json()) as { client_id: string; client_secret: string };
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.client_id,
    client_secret: client.client_secret,
    scope,
  });
  const answer = await fetch(new URL('/token', issuer), { method: 'POST', body });
  const { access_token } = (await answer.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`no token with ${scope}: ${answer.status}`);
  return access_token;
}
