import { edgeLimits } from '../../limits/edge-limits.ts';
import type { PathGuard, PathPolicy } from '../mount/path-policy.ts';
import { limitBody } from './limit-body.ts';
import { allowOrigins } from './origins/allow-origins.ts';
import { checkOrigin } from './origins/check-origin.ts';

/** More than any request of an API whose bodies are forms, quotes and subscriptions. */
const defaultBodyLimit = edgeLimits.body.value;

/** The guards of a path: whose pages may call it and read the answer, and how much they may send. */
export function guardPath(options: {
  policy: PathPolicy;
  publicUrl: URL;
  allowedOrigins: readonly string[];
}): PathGuard {
  const { policy, publicUrl, allowedOrigins } = options;
  const { bodyLimit = defaultBodyLimit, origins = 'own' } = policy;
  const limit = { bodyLimit, limitBody: limitBody(bodyLimit) };
  if (origins === 'any') {
    return { ...limit, checkOrigin: undefined, allowOrigins: allowOrigins('*') };
  }
  const acceptNull = origins === 'own-or-null';
  return {
    ...limit,
    checkOrigin: checkOrigin({ publicUrl, allowedOrigins, acceptNull }),
    allowOrigins: allowedOrigins.length === 0 ? undefined : allowOrigins(allowedOrigins),
  };
}
