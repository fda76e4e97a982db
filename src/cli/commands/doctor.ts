import { styleText } from 'node:util';
import { diagnose } from '../../app/diagnose.ts';
import type { Finding } from '../../app/doctor-checks.ts';
import type { Command } from '../command.ts';
import { settingOptions, textFlags } from '../input/setting-options.ts';
import { plainLines } from '../plain-text.ts';
import { hasColours } from '../terminal.ts';

/** `tradewind doctor`: checks whether the server could run here, and says how to mend what is wrong. */
export const doctorCommand: Command = {
  description:
    'Checks runtime, settings, disk, database, port, clock and RPC endpoints with the same settings as\ntradewind serve. Exits 0 if every check passes and 1 if one fails.',
  options: {
    ...settingOptions(),
    json: { type: 'boolean', help: 'Print the findings as JSON.' },
  },
  async run({ flags, terminal: { environment, stdout } }) {
    const findings = await diagnose({ environment, flags: textFlags(flags) });
    const isWell = findings.every((finding) => finding.ok);
    if (flags.json) stdout.write(`${JSON.stringify({ ok: isWell, findings })}\n`);
    else {
      const isColoured = hasColours(stdout, environment);
      stdout.draw(findings.map((finding) => render(finding, isColoured)).join(''));
    }
    return isWell ? 0 : 1;
  },
};

function render(finding: Finding, isColoured: boolean): string {
  const paint = (colour: 'green' | 'red', text: string) =>
    isColoured ? styleText(colour, text, { validateStream: false }) : text;
  const detail = plainLines(finding.detail).replaceAll('\n', `\n${' '.repeat(16)}`);
  const line = `${finding.check.padEnd(10)} ${detail}\n`;
  if (finding.ok) return `${paint('green', 'ok  ')} ${line}`;
  return `${paint('red', 'mend')} ${line}${' '.repeat(16)}${plainLines(finding.mend)}\n`;
}
