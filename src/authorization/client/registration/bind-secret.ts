import { createHash } from 'node:crypto';
import type { ClientContext } from '../client-context.ts';
import { ClientError } from '../client-error.ts';

/**
 * Makes sure that a secret from the settings may go to an issuer: the configured one, else the first that it was used
 * at, which is stored (N24). So the documents of another server cannot lead it anywhere. Throws `ISSUER_MISMATCH`.
 */
export async function bindSecret(
  { options, bindings }: Pick<ClientContext, 'options' | 'bindings'>,
  { secret, issuer }: { readonly secret: string; readonly issuer: string },
): Promise<void> {
  const { clientIssuer } = options;
  if (clientIssuer !== undefined) {
    if (!isSame(clientIssuer, issuer)) throw isForAnother(clientIssuer, issuer);
    return;
  }
  // The vault is sealed, and has only a hash of what the operator keeps elsewhere.
  const name = createHash('sha256').update(`${options.clientId}\n${secret}`).digest('base64url');
  await bindings.lock(`secret ${name}`, async () => {
    const bound = await bindings.read('secret', name);
    if (bound !== undefined) {
      if (!isSame(bound.issuer, issuer)) throw isForAnother(bound.issuer, issuer);
      return;
    }
    await bindings.write('secret', { issuer }, name).catch((cause: unknown) => {
      throw new ClientError(
        'UNSUPPORTED',
        `The client secret was not sent, since it cannot be stored that it is for ${issuer}: set TRADEWIND_CLIENT_ISSUER=${issuer} (clientIssuer) if it is.`,
        { cause },
      );
    });
  });
}

/** Issuers are compared to the letter, but people write an origin with and without a slash. */
function isSame(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function isForAnother(bound: string, issuer: string): ClientError {
  return new ClientError(
    'ISSUER_MISMATCH',
    `The client secret is for ${bound}, and this server names ${issuer} as its authorization server, so it was not sent: leave it out here (TRADEWIND_CLIENT_ID, TRADEWIND_CLIENT_SECRET), or set TRADEWIND_CLIENT_ISSUER=${issuer} (clientIssuer) if it is for that one.`,
  );
}
