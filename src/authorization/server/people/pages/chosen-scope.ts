import type { Form } from '../../../protocol/read-form.ts';
import type { Scope, Scopes } from '../../../protocol/scope.ts';
import { type Account, isAdmin } from '../../model/account.ts';

/** The checkbox of a scope on the consent page. */
export const scopeField = (scope: Scope) => `scope:${scope}`;

/**
 * Every browser that was shown the checkboxes sends this, because an empty choice itself sends
 * nothing. A program that posts only `decision=allow` allows everything that was asked.
 */
export const tickedField = 'ticked';

/** The requested scopes that a person can allow: only admins can grant scopes for admins. */
export function allowableScope(
  asked: readonly Scope[],
  { account, scopes }: { account: Account; scopes: Scopes },
): readonly Scope[] {
  return asked.filter((scope) => isAdmin(account) || !scopes.isForAdmins(scope));
}

/** What the person left ticked of what they could allow. */
export function chosenScope(form: Form, allowable: readonly Scope[]): readonly Scope[] {
  if (form.get(tickedField) === undefined) return allowable;
  return allowable.filter((scope) => form.get(scopeField(scope)) !== undefined);
}
