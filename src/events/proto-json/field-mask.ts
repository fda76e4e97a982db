import { toCamelCase } from './field-names.ts';

const pathShape = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$/;

/**
 * The paths of a field mask such as `ttl,event_types`, in camelCase, each once (E3.16); `*` is a path
 * of its own. Undefined for a mask that is malformed. Does not check whether the fields exist.
 */
export function parseFieldMask(text: string): readonly string[] | undefined {
  if (text.trim() === '') return [];
  const paths = text.split(',').map((path) => path.trim());
  if (paths.some((path) => path !== '*' && !pathShape.test(path))) return undefined;
  return [...new Set(paths.map(toCamelCase))];
}
