/**
 * What an operation does, as a heading: the beginning of its description, which says it in the third person.
 * `Lists the people: …` becomes `List the people`.
 */
export function headingOf(description: string): string {
  const [beginning = ''] = description.split(/[.:]/, 1);
  return beginning.replace(/^(\w+(?:sh|ch|ss))es\b|^(\w+)s\b/, '$1$2');
}
