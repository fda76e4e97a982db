import type { z } from 'zod';
import { SwapError } from '../model/swap-error.ts';

/** Parameters as they arrive: text, once or several times. */
export type GivenParameters = Readonly<Record<string, string | readonly string[]>>;

/** Reads parameters by a schema. Throws `INVALID_PARAMS` with every bad one named in `details` (Q2). */
export function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  given: GivenParameters,
): z.output<Schema> {
  const single = Object.entries(given).map(([name, value]) => [
    name,
    typeof value !== 'string' && value.length === 1 ? value[0] : value,
  ]);
  const result = schema.safeParse(Object.fromEntries(single));
  if (result.success) return result.data;
  const details: Record<string, string> = {};
  for (const { path, message } of result.error.issues) details[path.join('.')] ??= message;
  const problems = Object.entries(details).map(([name, problem]) => `${name} ${problem}`);
  throw new SwapError('INVALID_PARAMS', `${problems.join('; ')}.`, { details });
}
