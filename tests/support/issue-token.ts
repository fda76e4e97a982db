/** Registers a client that acts for itself at a running server, and gives a token of it. */
export async function issueToken(server: string, scope: string): Promise<string> {
  const registered = await fetch(`${server}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A test',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      scope,
    }),
  });
  const client = (await registered.json()) as { client_id: string; client_secret: string };
  const issued = await fetch(`${server}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope,
      client_id: client.client_id,
      client_secret: client.client_secret,
    }),
  });
  return ((await issued.json()) as { access_token: string }).access_token;
}
