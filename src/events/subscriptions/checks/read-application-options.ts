import type { FieldViolation } from '../../errors/events-error.ts';
import type { Application } from '../../model/application.ts';
import type { SubscriptionInput } from '../../model/subscription-message.ts';
import type { OptionsValue, SubscriptionOptions } from '../../options/application-options.ts';
import { applicationOptions } from '../../options/built-in-options.ts';

/** The options of a request for the application of its target. Options of other applications are refused. */
export function readApplicationOptions(
  input: SubscriptionInput,
  { options: own, name }: Pick<Application, 'options' | 'name'>,
): { readonly options: SubscriptionOptions; readonly violations: readonly FieldViolation[] } {
  const given = input as Readonly<Record<string, OptionsValue | undefined>>; // as the messages read them
  const foreign = applicationOptions
    .filter((one) => one !== own && given[one.field] !== undefined)
    .map(({ field }) => ({ field, description: `is not for targets of ${name}: leave it out` }));
  if (own === undefined) return { options: {}, violations: foreign };
  const { value, violations = [] } = own.read(input.targetResource ?? '', given[own.field]);
  return {
    options: value === undefined ? {} : { [own.field]: value },
    violations: [...violations, ...foreign],
  };
}
