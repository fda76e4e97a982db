import type { PayloadOptions } from '../../model/subscription.ts';
import { toCamelCase } from '../../proto-json/field-names.ts';

/**
 * The data of an event as a subscription gets it (E10.5, E10.6): whole if there are no options; only the name of the
 * resource; or the resource, narrowed by the field mask. Takes and gives JSON text. In a batch event each resource of
 * the list is shaped. Without resource data, an entry that has no name is sent whole, since nothing else would say what
 * happened.
 */
export function shapeData(data: string, payload: PayloadOptions | undefined): string {
  if (payload === undefined) return data;
  const { includeResource, fieldMask } = payload;
  const isUnmasked = fieldMask.length === 0 || fieldMask.includes('*');
  if (includeResource && isUnmasked) return data;
  const shape = includeResource ? narrowBy(maskOf(fieldMask)) : nameOf;
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

/** The paths of a mask as a tree: each field of a resource is looked up once, however many paths there are (N1). */
type Mask = { readonly isWhole: boolean; readonly within: ReadonlyMap<string, Mask> };

const nothing: Mask['within'] = new Map();
const known = new WeakMap<readonly string[], Mask>();

/** Made once for each mask, since every event of a subscription is shaped by the same one. */
function maskOf(fieldMask: readonly string[]): Mask {
  const mask = known.get(fieldMask) ?? toMask(fieldMask.map((path) => path.split('.')));
  known.set(fieldMask, mask);
  return mask;
}

function toMask(paths: readonly (readonly string[])[]): Mask {
  const deeper = Map.groupBy(
    paths.filter((path) => path.length > 0),
    ([first = '']) => first,
  );
  return {
    isWhole: paths.some((path) => path.length === 0),
    within: new Map(
      [...deeper].map(([first, some]) => [first, toMask(some.map(([, ...rest]) => rest))]),
    ),
  };
}

/** Paths may begin with the resource's own key: `message.text` is `text` of a message. */
function narrowBy(mask: Mask): Shape {
  return (resource, key) => {
    const own = mask.within.get(key);
    return own === undefined ? narrow(resource, [mask]) : narrow(resource, [mask, own], key);
  };
}

/** Paths of the first mask below the resource's own key mean the resource itself, not a field of that name. */
function narrow(fields: Fields, masks: readonly Mask[], ownKey?: string): Fields {
  const kept: Record<string, unknown> = {};
  // Reads the keys alone: nearly all fields are left out, and building their entries would take longer than everything
  // else.
  for (const key of Object.keys(fields)) {
    const name = toCamelCase(key);
    if (!masks.some(({ within }) => within.has(name))) continue;
    const named = masks.flatMap(({ within }, index) => {
      const mask = within.get(name);
      const isOwn = index === 0 && name === ownKey;
      if (mask === undefined || (isOwn && !mask.isWhole)) return [];
      return isOwn ? [{ isWhole: true, within: nothing }] : [mask];
    });
    if (named.length === 0) continue;
    const value = fields[key];
    const isWhole = named.some((mask) => mask.isWhole) || !isFields(value);
    kept[key] = isWhole ? value : narrow(value, named);
  }
  return kept;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
