import type { PayloadOptions } from '../../model/subscription.ts';
import { toCamelCase } from '../../proto-json/field-names.ts';

/**
 * The data of an event as a subscription gets it (E10.5, E10.6): whole where nothing is said; the name of the
 * resource alone; or the resource, narrowed by the field mask. Takes and gives JSON text. In a batch event each
 * resource of the list is shaped. Without resource data, an entry that has no name is sent whole, since nothing else
 * would say what happened.
 */
export function shapeData(data: string, payload: PayloadOptions | undefined): string {
  if (payload === undefined) return data;
  const { includeResource, fieldMask } = payload;
  const isUnmasked = fieldMask.length === 0 || fieldMask.includes('*');
  if (includeResource && isUnmasked) return data;
  const shape = includeResource
    ? (resource: Fields, key: string) => narrow(resource, pathsWithin(fieldMask, key))
    : nameOf;
  return JSON.stringify(shapeResources(JSON.parse(data), shape));
}

type Fields = Readonly<Record<string, unknown>>;
type Shape = (resource: Fields, key: string) => unknown;

function shapeResources(data: Fields, shape: Shape): Fields {
  const shaped: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(data)) {
    if (Array.isArray(value)) {
      shaped[key] = value.map((entry) => (isFields(entry) ? shapeResources(entry, shape) : entry));
    } else {
      shaped[key] = isFields(value) ? shape(value, key) : value;
    }
  }
  return shaped;
}

function nameOf(resource: Fields): Fields {
  return resource.name === undefined ? resource : { name: resource.name };
}

/** Paths may begin with the resource's own key: `message.text` is `text` of a message. */
function pathsWithin(fieldMask: readonly string[], key: string): string[][] {
  return fieldMask.map((path) => {
    const [first, ...rest] = path.split('.');
    return first === key && rest.length > 0 ? rest : [first ?? '', ...rest];
  });
}

function narrow(fields: Fields, paths: readonly (readonly string[])[]): Fields {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    const within = paths.filter(([first]) => first === toCamelCase(key));
    if (within.length === 0) continue;
    const deeper = within.map(([, ...rest]) => rest);
    const isWhole = deeper.some((rest) => rest.length === 0) || !isFields(value);
    kept[key] = isWhole ? value : narrow(value, deeper);
  }
  return kept;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
