import type { z } from 'zod';
import type { Operation } from './operation.ts';

/** Operations that belong together: they share a tag, a form of refusals and named schemas. */
export type Service = {
  /** The tag of its operations. */
  readonly name: string;
  readonly description: string;
  /** The body of every refusal. */
  readonly error: z.ZodType;
  /** Names of schemas that stand in several answers; others are named by their `id` in `meta`. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
  /** Query parameters that all of its operations know. */
  readonly parameters?: z.ZodObject;
  readonly operations: readonly Operation[];
  /** A command that shows what the service does. */
  readonly sample?: string;
};
