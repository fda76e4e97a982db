/**
 * The event types in a body that is not validated yet, for the check of scopes: a token with too few scopes is refused
 * before anything else is checked (E8.22).
 */
export function eventTypesOf(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const listed = Object.entries(body)
    .filter(([name]) => name === 'eventTypes' || name === 'event_types')
    .flatMap(([, value]) => value);
  return listed.filter((value) => typeof value === 'string');
}
