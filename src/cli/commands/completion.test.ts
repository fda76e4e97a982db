import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commands } from '../commands.ts';
import { runCommandLine } from '../run-command-line.ts';

async function scriptFor(shell: string): Promise<string> {
  let stdout = '';
  const write = (text: string) => {
    stdout += text;
  };
  await runCommandLine(commands, ['completion', shell], {
    environment: {},
    stdout: { write },
    stderr: { write },
    onTerminate: () => {},
    onExit: () => {},
    onReload: () => {},
  });
  return stdout;
}

/** The completions that a real bash offers after these words. */
async function offered(...words: string[]): Promise<string[]> {
  const script = `${await scriptFor('bash')}
    COMP_WORDS=(tradewind ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
    _tradewind; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const said = execFileSync('bash', ['--norc', '-c', script]).toString().trim();
  return said === '' ? [] : said.split('\n');
}

describe('completion', () => {
  it('offers every declared command, and those that begin with what is typed [T8]', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(commands.map(({ name }) => name)));
    expect(await offered('comp')).toEqual(['completion']);
  });

  it('offers the actions and flags of a command [T8]', async () => {
    expect(await offered('clients', '')).toEqual(
      expect.arrayContaining(['add', 'list', 'remove', '--json', '--help', '--scope']),
    );
    expect(await offered('quote', '--sl')).toEqual(['--slippage']);
    expect(await offered('completion', '')).toEqual(
      expect.arrayContaining(['bash', 'zsh', 'fish']),
    );
  });

  it.each(['bash', 'zsh', 'fish'])('is a script that %s reads [T8]', async (shell) => {
    const script = await scriptFor(shell);
    for (const { name } of commands) expect(script).toContain(name);
    const { error, status, stderr } = spawnSync(shell, ['-n', '-c', script]);
    // If the shell is not installed, only the text of its script can be checked.
    if (error === undefined) expect([status, stderr.toString()]).toEqual([0, '']);
  });
});
