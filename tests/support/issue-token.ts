/** Registers a client that acts for itself at a running server, and returns a token of that client. */
export async function issueToken(server: string, scope: string): Promise<string> {
  return (await issueRevocableToken(server, scope)).token;
}

/** The same, with a function by which the client revokes the token. */
export async function issueRevocableToken(server: string, scope: string) {
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
  const { client_id, client_secret } = (await registered.json()) as Record<string, string>;
  const client = { client_id: client_id!, client_secret: client_secret! };
  const issued = await fetch(`${server}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', scope, ...client }),
  });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const revoke = async () => {
    const body = new URLSearchParams({ token, ...client });
    await fetch(`${server}/revoke`, { method: 'POST', body });
  };
  return { token, revoke };
}
