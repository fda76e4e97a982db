import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';

/** The key to which the code is to be bound (RFC 9449 section 10). Throws `invalid_request` for what is no thumbprint. */
export function checkDpopThumbprint(form: Form): string | undefined {
  const thumbprint = form.get('dpop_jkt');
  if (thumbprint === undefined || /^[\w-]{43}$/.test(thumbprint)) return thumbprint;
  throw new AuthorizationError(
    'invalid_request',
    'The dpop_jkt must be the SHA-256 thumbprint of a key in 43 base64url characters.',
  );
}
