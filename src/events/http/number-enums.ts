import { z } from 'zod';
import { enumNumbers } from '../model/proto-fields.ts';
import { subscriptionMessage } from '../model/subscription-message.ts';

/** The messages that a field of any kind may hold, by the end of their type. */
const packedMessages: readonly (readonly [string, z.ZodType])[] = [
  ['.Subscription', subscriptionMessage],
];

/**
 * An answer with its enums as numbers (G2), in the response of an operation too. An enum whose value has no number in
 * the published interface is left out; one that has none at all, such as the state of a delivery, keeps its names.
 */
export function numberEnums(answer: object, schema: z.ZodType): object {
  return encode(answer, schema) as object; // an object stays one
}

function encode(value: unknown, schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional) return encode(value, schema.unwrap());
  const known = enumNumbers.get(schema);
  if (known !== undefined) return known.numbers.get(String(value));
  if (Array.isArray(value)) {
    return schema instanceof z.ZodArray ? value.map((one) => encode(one, schema.element)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const message = schema instanceof z.ZodRecord ? packedMessage(value) : schema;
  if (!(message instanceof z.ZodObject)) return value;
  const fields: Readonly<Record<string, z.core.$ZodType>> = message.shape;
  const encoded = Object.entries(value).map(([name, member]) => {
    const field = fields[name];
    return [name, field === undefined ? member : encode(member, field)];
  });
  return Object.fromEntries(encoded.filter(([, member]) => member !== undefined));
}

/** The schema that the type of a packed message names, as in `Operation.response`. */
function packedMessage(value: object): z.ZodType | undefined {
  const type = '@type' in value ? String(value['@type']) : '';
  return packedMessages.find(([end]) => type.endsWith(end))?.[1];
}
