import { UsageError } from './usage-error.ts';

/** Refuses a missing operand and one too many. `taken` is what the action takes, such as `<person>` and `<role>`. */
export function checkOperands(
  action: string,
  taken: readonly string[],
  given: readonly string[],
): void {
  const [missing, tooMany] = [taken[given.length], given[taken.length]];
  const all = taken.join(' ');
  if (missing !== undefined) {
    throw new UsageError(`${missing} is missing: write tradewind ${action} ${all}.`);
  }
  if (tooMany !== undefined) {
    throw new UsageError(
      `${JSON.stringify(tooMany)} is one word too many: tradewind ${action} takes ${all || 'only flags'}.`,
    );
  }
}
