import type { Context } from 'hono';
import type { EdgeEnv } from '../../../../kernel/http/mount/edge-env.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import type { Browser, Browsers } from './create-browsers.ts';

/**
 * The browser of a request, for a page that offers to sign in. While the identity provider cannot be asked about the
 * session, nobody is signed in, and the refusal says why: a person with a password or a wallet needs no provider.
 */
export async function readForSignIn(
  browsers: Pick<Browsers, 'read' | 'readCookie'>,
  c: Context<EdgeEnv>,
): Promise<Browser & { readonly refusal?: AuthorizationError }> {
  try {
    return await browsers.read(c);
  } catch (error) {
    const isPassing =
      error instanceof AuthorizationError && error.code === 'temporarily_unavailable';
    if (!isPassing) throw error;
    const message = `${error.message} Or sign in below in another way.`;
    const refusal = new AuthorizationError('temporarily_unavailable', message);
    return { ...browsers.readCookie(c), session: undefined, refusal };
  }
}
