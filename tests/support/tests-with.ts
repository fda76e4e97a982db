import { describe, it, test } from 'vitest';
import { canTestWith, type ProgramName } from './installed-programs.ts';

/**
 * `describe`, `it` and `test` for what needs these programs, and the only way to skip a test: it stays in the report as
 * skipped, and the run says why. A file whose tests are not even defined counts as failed.
 */
export function testsWith(...programs: readonly ProgramName[]): Tests {
  const can = programs.every(canTestWith);
  return { describe: describe.runIf(can), it: it.runIf(can), test: test.runIf(can) };
}

type Tests = {
  readonly describe: ReturnType<typeof describe.runIf>;
  readonly it: ReturnType<typeof it.runIf>;
  readonly test: ReturnType<typeof test.runIf>;
};
