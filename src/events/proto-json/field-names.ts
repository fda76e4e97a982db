/** `target_resource` as `targetResource`; a name in camelCase stays as it is. */
export function toCamelCase(name: string): string {
  if (!name.includes('_')) return name;
  return name.replaceAll(/_([a-z0-9])/g, (part, letter: string, offset: number) =>
    /[A-Za-z0-9]/.test(name[offset - 1] ?? '') ? letter.toUpperCase() : part,
  );
}

export type NormalizedNames = {
  readonly value: unknown;
  /** Paths of fields that were given under both of their names. */
  readonly givenTwice: readonly string[];
};

/**
 * JSON with the names of its fields in camelCase, whichever case they came in (E2.39), and without
 * the fields that are `null` (E2.41). A `null` in a list stays, and the schema refuses it.
 */
export function normalizeNames(json: unknown): NormalizedNames {
  const givenTwice: string[] = [];

  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}[${index}]`));
    if (typeof value !== 'object' || value === null) return value;
    const normalized = new Map<string, unknown>();
    for (const [given, member] of Object.entries(value)) {
      if (member === null) continue;
      const name = toCamelCase(given);
      const memberPath = path === '' ? name : `${path}.${name}`;
      if (normalized.has(name)) givenTwice.push(memberPath);
      normalized.set(name, walk(member, memberPath));
    }
    return Object.fromEntries(normalized);
  };
  return { value: walk(json, ''), givenTwice };
}
