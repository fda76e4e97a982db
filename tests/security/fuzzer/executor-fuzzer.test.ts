import { concat, type Hex, numberToHex, size } from 'viem';
import { expect } from 'vitest';
import { compiledStorageExecutor } from '../../../src/swap/executor/contracts/compiled-storage-executor.ts';
import { compiledTransientExecutor } from '../../../src/swap/executor/contracts/compiled-transient-executor.ts';
import { testsWith } from '../../support/tests-with.ts';
import { type breakages, compileBroken } from '../executor/broken-builds.ts';
import { runForge } from './run-forge.ts';

const { describe, it } = testsWith('forge');

/** How many programs forge runs by each build: 1,000,000 are the proof. */
const programs = Number(process.env.TEST_PROGRAMS ?? 1_000);
const seed = Number(process.env.TEST_SEED ?? 1);
const timeout = 600_000 + programs * 60;

const transient = compiledTransientExecutor.creationCode;
const storage = compiledStorageExecutor.creationCode;

/** Broken builds, and what the fuzzer must say of it: another breach would be an accident. */
const broken: Readonly<Partial<Record<keyof typeof breakages, readonly string[]>>> = {
  'any-caller-calls-back': ['a stranger called back'],
  'pays-twice': ['it remembers something', 'the payer lost more than the amounts'],
  'pays-for-nothing': ['tokens stayed', 'it remembers something'],
  'pays-what-is-asked': ['the payer lost more than the amounts'],
  'no-lock': ['a program ran within another'],
  'reads-past-the-end': ['it read past its end', 'it left bytes unread'],
  'caller-chooses-the-call': ['it ran an unknown kind of pool', 'a bystander lost tokens'],
  'counts-what-was-owed': ['foreign code paid directly'],
  'leaves-allowances': ['an allowance stayed'],
  'believes-what-was-gathered': ['the recipient got less than the minimum'],
  'keeps-native-input': ['it kept input', 'tokens stayed'],
  'takes-ether-for-tokens': ['it took ether for tokens', 'ether stayed'],
  'takes-ether-at-rest': ['it took ether at rest'],
  'pays-itself': ['it paid itself'],
  'runs-late': ['it ran late'],
  'pays-direct-with-fee': ['it paid directly what it should have unwrapped or shared'],
  'believes-the-output': ['the recipient got less than the minimum'],
  'minimum-before-transfer': ['the recipient got less than the minimum'],
  'believes-what-was-owed': ['what was owed counted'],
  'pays-the-caller': ['the recipient got less than the minimum', 'what was owed counted'],
  'keeps-the-fee': ['it paid itself', 'tokens stayed'],
  'stays-locked': ['it took ether at rest'],
  'remembers-the-token': ['it remembers something'],
  'remembers-the-payer': ['it remembers something'],
};

/** Creation code that deploys this code. */
function deploying(code: Hex): Hex {
  return concat(['0x61', numberToHex(size(code), { size: 2 }), '0x80600a3d393df3', code]);
}

describe('the executor under a fuzzer that was not written with it', () => {
  it(
    'takes no more than the amounts, keeps the minimum, touches nobody else and leaves nothing [N18] [F25]',
    async () => {
      const { breach, report } = await runForge({
        transient,
        storage,
        test: 'testFuzz_programs',
        programs,
        seed,
      });
      expect(breach, report).toBeUndefined();
    },
    timeout,
  );

  it(
    'meets programs of every kind, many of which succeed [N18]',
    async () => {
      const { breach, report } = await runForge({
        transient,
        storage,
        test: 'test_variety',
        programs,
        seed,
      });
      expect(breach, report).toBeUndefined();
    },
    timeout,
  );

  it.each(Object.entries(broken))(
    'is caught when it is broken: %s [N18]',
    async (name, breaches) => {
      const code = deploying(compileBroken(name as keyof typeof breakages));
      const { breach, report } = await runForge({
        transient: code,
        test: 'testFuzz_programs',
        programs: 10_000,
        seed: 1,
      });
      expect(breaches, report).toContain(breach);
    },
    timeout,
  );
});
