import { describe, expect, it } from 'vitest';
import type { Command } from '../command.ts';
import { commandHelp } from './help.ts';

const entry = { name: 'sail', summary: 'Sail somewhere.', load: () => Promise.reject() };

const command: Command = {
  operands: 'list | north <miles> | south <miles>',
  description:
    'Sails as far as the wind goes, and then\nsome more of the way. It comes back by itself.\n\nThe second paragraph stands alone.\n\n  tradewind sail north 12 --and-this-example-is-longer-than-the-width\n  tradewind sail list',
  options: {
    wind: {
      type: 'string',
      argument: '<value>',
      help: 'How strong the wind blows. Must be a whole number from 0 to 12. Or TRADEWIND_WIND.',
    },
  },
  run: async () => 0,
};

describe('commandHelp', () => {
  it('keeps within the width, but for examples, which stay whole [H50]', () => {
    expect(commandHelp(entry, command, 40)).toBe(`Sail somewhere.

Usage: tradewind sail list | north
       <miles> | south <miles> [flags]

Sails as far as the wind goes, and then
some more of the way. It comes back by
itself.

The second paragraph stands alone.

  tradewind sail north 12 --and-this-example-is-longer-than-the-width
  tradewind sail list

Flags:
  --wind <value>
        How strong the wind blows. Must
        be a whole number from 0 to 12.
        Or TRADEWIND_WIND.
  -h, --help
        Show this help.
`);
  });

  it('wraps at 120 characters on a wider terminal or without one', () => {
    const long = { ...command, description: 'word '.repeat(60).trim() };
    for (const width of [undefined, 0, 400]) {
      const lines = commandHelp(entry, long, width).split('\n');
      expect(Math.max(...lines.map(({ length }) => length))).toBe(119);
    }
  });

  it('does not break a word that is longer than the width', () => {
    const long = { ...command, description: `See ${'x'.repeat(60)} there.` };
    expect(commandHelp(entry, long, 30)).toContain(`\nSee\n${'x'.repeat(60)}\nthere.\n`);
  });
});
