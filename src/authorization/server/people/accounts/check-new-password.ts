import { AuthorizationError } from '../../../authorization-error.ts';
import { passwordLength } from './create-passwords.ts';

/** A password that somebody chose, typed twice. Throws `invalid_request` when it cannot be one. */
export function checkNewPassword(password = '', repeated = ''): string {
  if (password !== repeated) {
    throw new AuthorizationError(
      'invalid_request',
      'The two passwords differ: type the same password twice.',
    );
  }
  const { least, most } = passwordLength;
  if ([...password].length < least || password.length > most) {
    throw new AuthorizationError(
      'invalid_request',
      `A password has from ${least} to ${most} characters: choose another.`,
    );
  }
  return password;
}
