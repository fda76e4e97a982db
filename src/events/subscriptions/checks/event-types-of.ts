/**
 * The event types in a body that nobody has checked yet, for the scopes that they want: a token with too few is
 * refused before anything else is checked (E8.22).
 */
export function eventTypesOf(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const listed = Object.entries(body)
    .filter(([name]) => name === 'eventTypes' || name === 'event_types')
    .flatMap(([, value]) => value);
  return listed.filter((value) => typeof value === 'string');
}
