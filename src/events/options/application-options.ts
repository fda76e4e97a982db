import type { z } from 'zod';
import type { FieldViolation } from '../errors/events-error.ts';

/** The value of one application's options, as JSON. */
export type OptionsValue = Readonly<Record<string, unknown>>;

/** The options of a subscription, by the fields of its resource that hold them: `swapOptions`. */
export type SubscriptionOptions = Readonly<Record<string, OptionsValue>>;

/** The options that an application brings to a subscription, in a field of their own. */
export type ApplicationOptions = {
  readonly field: string;
  /** The field as requests bring it and as answers show it. */
  readonly message: z.ZodType<OptionsValue>;
  /**
   * The options of a subscription to this target of the application, completed with their defaults.
   * The value is undefined if the target has none.
   */
  read(targetResource: string, given: OptionsValue | undefined): OptionsReading;
};

export type OptionsReading = {
  readonly value?: OptionsValue | undefined;
  readonly violations?: readonly FieldViolation[];
};
