import type { DeclaredData } from '../applications/create-catalogue.ts';
import type { Identities } from '../model/application.ts';
import { toCamelCase } from '../model/proto-json.ts';
import type { PayloadOptions } from '../model/subscription.ts';

/**
 * The data of an event as a subscription gets it (E10.5, E10.6): whole if there are no options, as for applications whose events
 * always are; only what says which resource it is, by the application's declaration; or the resource, narrowed by the field
 * mask. Takes and gives JSON text. Each resource of a list is shaped, and in a batch event the data of each event. Without
 * resource data nothing else is left: type and subject say what happened.
 */
export function shapeData(
  data: string,
  { payload, declared }: { payload: PayloadOptions | undefined; declared: DeclaredData },
): string {
  if (payload === undefined) return data;
  const { fieldMask } = payload;
  const includesResource = payload.includeResource && declared.resourceData !== 'never';
  const isUnmasked = fieldMask.length === 0 || fieldMask.includes('*');
  if (includesResource && isUnmasked) return data;
  const shape = includesResource ? narrowBy(maskOf(fieldMask)) : identifyBy(declared.identities);
  const parsed: Fields = JSON.parse(data);
  return JSON.stringify(
    declared.isBatch
      ? mapFields(parsed, (entries) =>
          Array.isArray(entries)
            ? entries.filter(isFields).map((entry) => shapeResources(entry, shape))
            : undefined,
        )
      : shapeResources(parsed, shape),
  );
}

type Fields = Readonly<Record<string, unknown>>;
type Shape = {
  resource(resource: Fields, key: string): Fields;
  /** Whether what is no resource is left as it is. */
  readonly keepsOthers: boolean;
};

function shapeResources(data: Fields, { resource, keepsOthers }: Shape): Fields {
  const shape = (value: unknown, key: string) => {
    if (isFields(value)) return resource(value, key);
    return keepsOthers ? value : undefined;
  };
  return mapFields(data, (value, key) =>
    Array.isArray(value)
      ? value.map((one) => shape(one, key)).filter((one) => one !== undefined)
      : shape(value, key),
  );
}

/** Leaves out what is mapped to undefined. */
function mapFields(fields: Fields, map: (value: unknown, key: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, map(value, key)]));
}

/** Only texts and numbers identify: an object in the place of an id could hold anything. */
function identifyBy(identities: Identities): Shape {
  const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  return {
    keepsOthers: false,
    resource(resource, key) {
      const own = toCamelCase(key);
      const named = Object.hasOwn(identities, own) ? (identities[own] ?? []) : [];
      const kept = Object.keys(resource).filter(
        (field) => named.includes(toCamelCase(field)) && isPlain(resource[field]),
      );
      const told = kept.length > 0 || !isPlain(resource.name) ? kept : ['name'];
      return Object.fromEntries(told.map((field) => [field, resource[field]]));
    },
  };
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
  return {
    keepsOthers: true,
    resource(resource, key) {
      const own = mask.within.get(key);
      return own === undefined ? narrow(resource, [mask]) : narrow(resource, [mask, own], key);
    },
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
