import { describe, expect, it } from 'vitest';
import { ConfigError } from '../app/settings/load-config.ts';
import { DomainError } from '../kernel/model/domain-error.ts';
import type { Command, CommandEntry, CommandInput } from './command.ts';
import { runCommandLine } from './run-command-line.ts';

class ExampleError extends DomainError<'EXAMPLE'> {}

async function run(argv: string[], outcome: (input: CommandInput) => number = () => 0) {
  const out: string[] = [];
  const err: string[] = [];
  const inputs: CommandInput[] = [];
  const command = (name: string, more: Partial<Command> = {}): CommandEntry => ({
    name,
    summary: `Do ${name}.`,
    load: async () => ({
      description: `How to ${name}.`,
      options: {
        port: { type: 'string', argument: '<port>', help: 'The port.' },
        'rpc-<chain id>': { type: 'string', argument: '<urls>', help: 'Endpoints.' },
        json: { type: 'boolean', help: 'JSON.' },
      },
      run: async (input) => {
        inputs.push(input);
        return outcome(input);
      },
      ...more,
    }),
  });
  const code = await runCommandLine(
    [command('serve'), command('quote', { operands: '<amount> <from> <to>' })],
    argv,
    {
      environment: {},
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
      onTerminate: () => {},
      onExit: () => {},
      onReload: () => {},
    },
  );
  return { code, out: out.join(''), err: err.join(''), input: inputs[0] };
}

describe('runCommandLine', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])(
    'lists the commands for %j [H50]',
    async (argv) => {
      const { code, out } = await run(argv);
      expect(code).toBe(0);
      expect(out).toMatch(/serve +Do serve\.\n +quote +Do quote\./);
    },
  );

  it.each([[['serve', '--help']], [['serve', '-h']], [['help', 'serve']]])(
    'explains every flag for %j [H50]',
    async (argv) => {
      const { code, out } = await run(argv);
      expect(code).toBe(0);
      expect(out).toContain('How to serve.');
      for (const flag of ['--port <port>', '--rpc-<chain id> <urls>', '--json', '-h, --help']) {
        expect(out).toContain(flag);
      }
    },
  );

  it('prints the version [H50]', async () => {
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('hands flags, members of a family and operands to the command', async () => {
    const { input } = await run(['quote', '1', 'ETH', '--port=9', '--rpc-1', 'http://a', 'USDC']);
    expect(input?.operands).toEqual(['1', 'ETH', 'USDC']);
    expect({ ...input?.flags }).toEqual({ port: '9', 'rpc-1': 'http://a' });
  });

  it.each([
    [['sreve'], 'did you mean tradewind serve?'],
    [['dance'], '"dance" is not a command.'],
    [['serve', '--prot', '1'], '--prot is not a flag of this command; did you mean --port?'],
    [['serve', '--port'], '--port needs a value: write --port <port>.'],
    [['serve', '--port', '-1'], '--port needs a value: write --port <port>, or --port=<port>'],
    [['serve', '--rpc-1'], '--rpc-1 needs a value: write --rpc-1 <urls>.'],
    [['serve', '--json=yes'], '--json takes no value: write --json alone.'],
    [['serve', '--help=yes'], '--help takes no value: write --help alone.'],
    [['quote', '-1.5', 'ETH', 'USDC'], 'The amount -1.5 is below 0: give an amount above 0.'],
    [['serve', '-1'], '-1 is not a flag of this command'],
    [['serve', 'now'], '"now" is one word too many'],
    [['quote', '1', 'ETH', 'to', 'USDC'], '"USDC" is one word too many'],
  ])('answers %j with exit code 2 and a way out [H52, H54]', async (argv, message) => {
    const { code, err } = await run(argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
    const isKnown = argv[0] === 'serve' || argv[0] === 'quote';
    expect(err).toContain(isKnown ? `See tradewind ${argv[0]} --help` : 'See tradewind --help');
  });

  it('reports a failure in one line and exits 1 [H52]', async () => {
    const { code, err } = await run(['serve'], () => {
      throw new ExampleError('EXAMPLE', 'The sea is rough; wait for calm.');
    });
    expect({ code, err }).toEqual({
      code: 1,
      err: 'tradewind: The sea is rough; wait for calm.\n',
    });
  });

  it('lists the attempts of a failure as plain text [H52, H51]', async () => {
    const attempts = [
      { endpoint: 'http://127.0.0.1:1', reason: 'connection', message: 'Nobody answers.' },
      { endpoint: 'http://127.0.0.1:2', reason: 'status', message: 'It answers\n\u001b[2J 500.' },
      'nothing that is an attempt',
    ];
    const fail = () => {
      const details = { chainId: 1, attempts };
      throw new ExampleError('EXAMPLE', 'None answers: see the details.', { details });
    };
    const message =
      'None answers: see the details.\n  http://127.0.0.1:1: Nobody answers.\n  http://127.0.0.1:2: It answers  [2J 500.';
    const { err } = await run(['quote'], fail);
    expect(err).toBe(`tradewind: ${message}\n`);
    const { error } = JSON.parse((await run(['quote', '--json'], fail)).err);
    expect(error).toEqual({ code: 'EXAMPLE', message });
  });

  it('exits 2 for wrong settings, and lists every problem in text and in JSON [H51]', async () => {
    const fail = () => {
      throw new ConfigError(['A is wrong', 'B is wrong']);
    };
    const { code, err } = await run(['serve'], fail);
    expect(code).toBe(2);
    expect(err).toContain('A is wrong\nB is wrong');
    expect(JSON.parse((await run(['serve', '--json'], fail)).err).error).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: ['A is wrong', 'B is wrong'],
    });
  });

  it('reports an unexpected error as its own fault, with the stack [H52]', async () => {
    const { code, err } = await run(['serve'], () => {
      throw new TypeError('undefined is not a ship');
    });
    expect(code).toBe(1);
    expect(err).toMatch(/internal error: undefined is not a ship[\s\S]*at /);
  });
});
