import { z } from 'zod';

// Kinds of query parameters, which arrive as text.

/** The texts `true` and `false` (E7.13). */
export const queryFlag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });

const int32Expected = 'must be a whole number that 32 bits can hold';
export const queryInt32 = z
  .string()
  .regex(/^-?\d+$/, int32Expected)
  .transform(Number)
  .pipe(z.int32(int32Expected))
  .meta({ type: 'integer', format: 'int32' });

export const queryText = z.string();

/** Of a method with no parameters of its own. */
export const noQuery = z.object({});
