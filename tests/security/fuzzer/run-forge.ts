import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';
import { findProgram } from '../../support/installed-programs.ts';

export type FuzzerRun = {
  /** Creation code of the executors. Without the second one, the first is not compared with anything. */
  readonly transient: Hex;
  readonly storage?: Hex;
  /** The test of `ExecutorFuzz.t.sol`. */
  readonly test: 'testFuzz_programs' | 'test_variety';
  readonly programs: number;
  readonly seed: number;
};

/** What forge found: nothing, or the first breach of a rule, and the whole report. Throws if forge did not run the test. */
export async function runForge(
  run: FuzzerRun,
): Promise<{ breach: string | undefined; report: string }> {
  const args = ['test', '--match-test', run.test];
  const bounds = ['--fuzz-runs', String(run.programs), '--fuzz-seed', `0x${run.seed.toString(16)}`];
  const forge = spawn(findProgram('forge'), [...args, ...bounds], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      EXECUTOR_TRANSIENT: run.transient,
      EXECUTOR_STORAGE: run.storage ?? run.transient,
      // What broke another build is no program of this run.
      FOUNDRY_FUZZ_FAILURE_PERSIST_DIR: mkdtempSync(join(tmpdir(), 'tradewind-fuzzer-')),
      EXECUTOR_BUILDS: run.storage === undefined ? '1' : '2',
    },
  });
  const [report, errors] = await Promise.all([
    text(forge.stdout),
    text(forge.stderr),
    once(forge, 'close'),
  ]);
  const [, outcome, breach] = /^\[(PASS|FAIL)(?:: ([^;\]]*))?/m.exec(report) ?? [];
  if (outcome === undefined) throw new Error(`forge ran no test: ${errors}${report}`);
  return { breach: outcome === 'PASS' ? undefined : (breach ?? 'no reason'), report };
}
