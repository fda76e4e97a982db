import { execFile } from 'node:child_process';
import { access, constants, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../support/run-tradewind.ts';
import { openSwapServer } from '../support/swap-interface.ts';

const run = promisify(execFile);

/** How each sample is run in a directory that holds it as `file`, as a reader of it would. */
const runtimes = {
  curl: { needs: 'curl', file: 'sample.sh', commands: [['sh', 'sample.sh']] },
  typescript: {
    needs: process.execPath,
    file: 'sample.mts',
    commands: [[process.execPath, 'sample.mts']],
  },
  python: { needs: 'python3', file: 'sample.py', commands: [['python3', 'sample.py']] },
  rust: {
    needs: 'rustc',
    file: 'sample.rs',
    commands: [['rustc', '--edition=2021', '-o', 'sample', 'sample.rs'], ['./sample']],
  },
} as const;

async function isOnMachine(program: string): Promise<boolean> {
  const directories = program.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  const found = directories.map((directory) => access(join(directory, program), constants.X_OK));
  return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled');
}

async function runSample(language: keyof typeof runtimes, url: string): Promise<string> {
  const { data } = (await (await fetch(`${url}/v1/swap/examples`)).json()) as {
    data: { examples: Record<keyof typeof runtimes, string> };
  };
  const cwd = await makeTemporaryDirectory();
  const { file, commands } = runtimes[language];
  await writeFile(join(cwd, file), data.examples[language]);
  let output = '';
  for (const [program, ...args] of commands) {
    output = (await run(program, args, { cwd })).stdout;
  }
  return output;
}

const languages = Object.keys(runtimes) as (keyof typeof runtimes)[];
const present = await Promise.all(
  languages.map(async (language) => ({
    language,
    isHere: await isOnMachine(runtimes[language].needs),
  })),
);

describe('the samples of /v1/swap/examples', () => {
  for (const { language, isHere } of present) {
    if (!isHere) continue;
    it(`in ${language} runs unchanged and shows a quote [Q10]`, async () => {
      const output = await runSample(language, await openSwapServer());
      expect(output).toContain('Successful');
      expect(output).toContain('2990950000');
    });
  }

  it('end with an error where the server refuses', async () => {
    const url = await openSwapServer({
      useCases: {
        quote: async () => {
          throw new Error('broken');
        },
        price: async () => {
          throw new Error('broken');
        },
        history: async () => [],
        endpoints: async () => [],
        chains: async () => [],
        tokens: async () => [],
      },
    });
    for (const { language, isHere } of present) {
      if (isHere) await expect(runSample(language, url)).rejects.toThrow();
    }
  });
});
