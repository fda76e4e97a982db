import { importJWK, importPKCS8 } from 'jose';
import * as oauth from 'oauth4webapi';
import type { ServerMetadata } from '../discovery/metadata.ts';
import type { ClientKey } from '../options.ts';
import type { Registration } from '../records.ts';

/**
 * How a client authenticates at the token endpoint: with its key, if it has one; else by its
 * registered method; else by the first method that the server accepts, by default
 * `client_secret_basic` (RFC 8414 section 2). A client without a secret sends only its id.
 */
export async function authenticateClient(options: {
  metadata: ServerMetadata;
  registration: Registration;
  key?: ClientKey | undefined;
}): Promise<oauth.ClientAuth> {
  const { metadata, registration, key } = options;
  if (key !== undefined) return oauth.PrivateKeyJwt(await importKey(key));
  const { clientSecret, authenticationMethod } = registration;
  const method = authenticationMethod ?? firstAccepted(metadata);
  if (clientSecret === undefined || method === 'none') return oauth.None();
  return method === 'client_secret_post'
    ? oauth.ClientSecretPost(clientSecret)
    : secretBasic(clientSecret);
}

function firstAccepted({ token_endpoint_auth_methods_supported: accepted }: ServerMetadata) {
  const known = ['client_secret_basic', 'client_secret_post', 'none'];
  return known.find((method) => accepted?.includes(method)) ?? 'client_secret_basic';
}

/**
 * RFC 6749 section 2.3.1, with form encoding as browsers do it. The library also escapes the hyphen,
 * which servers that skip the decoding do not understand.
 */
function secretBasic(clientSecret: string): oauth.ClientAuth {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return (_server, client, _body, headers) => {
    const credentials = `${encode(client.client_id)}:${encode(clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };
}

async function importKey({ privateKey, algorithm, keyId }: ClientKey): Promise<oauth.PrivateKey> {
  const key =
    typeof privateKey === 'string'
      ? await importPKCS8(privateKey, algorithm)
      : await importJWK(privateKey, algorithm);
  if (key instanceof Uint8Array) {
    throw new TypeError(
      'The private key is a shared secret: give an asymmetric key, such as ES256.',
    );
  }
  return keyId === undefined ? { key } : { key, kid: keyId };
}
