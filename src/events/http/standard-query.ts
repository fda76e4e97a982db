import { z } from 'zod';
import { EventsError, invalidArgument } from '../model/events-error.ts';
import { toViolations } from '../model/proto-json.ts';
import { type Method, queryText } from './methods/method.ts';

/** Clients of either kind say 1 or true (G3). Does not read it: whoever writes the answer does. */
const printFlag = z
  .enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0')
  .meta({ type: 'boolean' });

/** The parameters that every method knows (E7.6), as the discovery document declares them. */
export const standardQuery = z.strictObject({
  '$.xgafv': z
    .enum(['1', '2'], 'must be 1 or 2')
    .optional()
    .meta({
      description: 'V1 error format.',
      enumDescriptions: ['v1 error format', 'v2 error format'],
    }),
  access_token: queryText
    .optional()
    .describe('Refused: send the token in the Authorization header.'),
  alt: z
    .enum(['json', 'media', 'proto'], 'must be json')
    .optional()
    .meta({
      description: 'Data format for the answer; json alone is served.',
      default: 'json',
      enumDescriptions: ['Answers with the type application/json', 'Not served', 'Not served'],
    }),
  callback: queryText.optional().describe('Refused: JSONP is not served.'),
  fields: queryText.optional().describe('Which fields the answer is to have.'),
  key: queryText.optional().describe('Without effect.'),
  oauth_token: queryText
    .optional()
    .describe('Refused: send the token in the Authorization header.'),
  prettyPrint: printFlag
    .optional()
    .meta({ description: 'Whether answers are indented.', default: 'true' }),
  quotaUser: z
    .string()
    .max(40, 'must have at most 40 characters')
    .optional()
    .describe('Without effect on whose quota is counted; at most 40 characters.'),
  uploadType: queryText.optional().describe('Without effect.'),
  upload_protocol: queryText.optional().describe('Without effect.'),
});

const numericEnums = 'json;enum-encoding=int';

/** The names that Google's Cloud clients use for two of them over HTTP (G1, G3); no document declares them. */
const cloudQuery = z.strictObject({
  $alt: z
    .enum(['json', numericEnums, 'media', 'proto'], `must be json or ${numericEnums}`)
    .optional(),
  $prettyPrint: printFlag.optional(),
});

export type ReadQuery = {
  readonly query: Record<string, unknown>;
  readonly fields: string | undefined;
  /** Whether the answer gives enums by their numbers (G2). */
  readonly wantsNumbers: boolean;
};

export type QueryReader = (parameters: URLSearchParams) => ReadQuery;

/**
 * Reads the queries of a method by the standard parameters and its own. The reader throws `INVALID_ARGUMENT` with
 * every bad or unknown parameter named (E7.17), and `UNIMPLEMENTED` for the formats that are not served (E7.11).
 * Made once per method, since making a schema costs more than using it.
 */
export function createQueryReader(method: Pick<Method, 'parameters'>): QueryReader {
  const schema = z.strictObject({
    ...standardQuery.shape,
    ...cloudQuery.shape,
    ...method.parameters.shape,
  });
  return (parameters) => {
    const names = [...new Set(parameters.keys())];
    const twice = names.filter((name) => parameters.getAll(name).length > 1);
    const result = schema.safeParse(Object.fromEntries(parameters));
    const violations = [
      ...twice.map((field) => ({ field, description: 'is given more than once' })),
      ...(result.error?.issues ?? []).flatMap(toViolations),
      ...(parameters.has('callback')
        ? [{ field: 'callback', description: 'is refused: JSONP is not served' }]
        : []),
    ];
    if (violations.length > 0 || !result.success) throw invalidArgument(violations);
    // The standard parameters are part of the schema, so these types hold.
    const read = result.data as z.output<typeof standardQuery> & z.output<typeof cloudQuery>;
    const { alt, $alt, fields, ...query } = read;
    for (const [name, format] of Object.entries({ alt, $alt })) {
      if (format === 'media' || format === 'proto') throw formatNotServed(name, format);
    }
    return { query, fields, wantsNumbers: $alt === numericEnums };
  };
}

function formatNotServed(parameter: string, alt: string): EventsError {
  return new EventsError(
    'UNIMPLEMENTED',
    `${parameter}=${alt} is not served: leave it out, or use json.`,
    { reason: 'FORMAT_NOT_SERVED', metadata: { parameter, alt } },
  );
}
