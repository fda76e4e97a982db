/**
 * The place of a reader in the lanes of a topic, as the id of a server-sent event: opaque, one line, and readable by
 * any process.
 */
export function formatPlaces(places: ReadonlyMap<string, number>): string {
  return Buffer.from(JSON.stringify([...places])).toString('base64url');
}

/** Undefined for what no stream gave. */
export function parsePlaces(id: string): Map<string, number> | undefined {
  try {
    const entries: unknown = JSON.parse(Buffer.from(id, 'base64url').toString());
    const isPlace = (entry: unknown): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && Number.isSafeInteger(entry[1]);
    return Array.isArray(entries) && entries.every(isPlace) ? new Map(entries) : undefined;
  } catch {
    return undefined;
  }
}
