import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';
import { readOwnResources } from '../../../protocol/resource.ts';

/**
 * Where tokens of this server are valid: below its own origin, and at other servers that its settings or an admin
 * named.
 */
export type ResourceRules = {
  readonly origin: string;
  /** Addresses of foreign servers, as `parseResource` spells them. */
  readonly foreign: () => readonly string[];
};

/**
 * The audiences that the tokens are for (RFC 8707 section 2); without any, the default ones. Throws `invalid_target`
 * for a resource that this server issues no tokens for.
 */
export function checkResources(
  form: Form,
  { origin, foreign, usual }: ResourceRules & { readonly usual: readonly string[] },
): readonly string[] {
  const resources = readOwnResources(form, origin);
  for (const resource of resources) {
    const isOwn = resource === origin || resource.startsWith(`${origin}/`);
    if (isOwn || foreign().includes(resource)) continue;
    throw new AuthorizationError(
      'invalid_target',
      `This server issues no tokens for "${resource.slice(0, 200)}": ask for ${origin} or an address below it, or have an admin add this resource.`,
    );
  }
  return resources.length === 0 ? usual : resources;
}
