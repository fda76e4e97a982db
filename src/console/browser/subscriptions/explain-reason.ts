const sentences: Readonly<Record<string, string>> = {
  USER_SCOPE_REVOKED:
    'A scope that the subscription needs was revoked: sign in again with its client, then reactivate it.',
  USER_AUTHORIZATION_FAILURE: 'The owner no longer allows the subscription.',
  APP_SCOPE_REVOKED: 'The client lost a scope that it needs.',
  APP_AUTHORIZATION_FAILURE: 'The client may no longer read the target.',
  RESOURCE_DELETED: 'Its target was deleted.',
  ENDPOINT_PERMISSION_DENIED: 'The endpoint refused: it answered 401 or 403.',
  ENDPOINT_NOT_FOUND: 'The endpoint is gone: it answered 404 or 410, or its name does not exist.',
  ENDPOINT_RESOURCE_EXHAUSTED:
    'The endpoint is overloaded: it answered 429, or too many events waited for it.',
  OTHER: 'The endpoint accepted no event before the retries ended.',
};

/** Why a subscription is suspended or an event was given up, in words; an unknown reason is shown as it is. */
export function explainReason(reason: string): string {
  return sentences[reason] ?? reason;
}
