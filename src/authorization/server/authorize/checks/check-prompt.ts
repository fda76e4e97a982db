import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';

const known = ['none', 'login', 'consent', 'select_account'];

/**
 * Whether the person must sign in again (OpenID Connect Core section 3.1.2.1). Consent is always asked for, so
 * `none` can only be answered with `interaction_required`. Any `max_age` is met by signing in again. Throws
 * `invalid_request` for other values.
 */
export function checkPrompt(form: Form): boolean {
  const prompts = form.get('prompt')?.split(' ') ?? [];
  const maxAge = form.get('max_age');
  if (prompts.some((prompt) => !known.includes(prompt))) {
    throw new AuthorizationError(
      'invalid_request',
      `The prompt "${prompts.join(' ').slice(0, 100)}" does not exist: use ${known.join(', ')}.`,
    );
  }
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) {
    throw new AuthorizationError('invalid_request', 'The max_age must be a number of seconds.');
  }
  if (!prompts.includes('none')) {
    return maxAge !== undefined || prompts.includes('login') || prompts.includes('select_account');
  }
  if (prompts.length > 1) {
    throw new AuthorizationError(
      'invalid_request',
      'The prompt none cannot be combined with others: send it alone.',
    );
  }
  throw new AuthorizationError(
    'interaction_required',
    'A person must agree to every request here: send it without prompt=none.',
  );
}
