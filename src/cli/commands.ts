import { chainsCommand } from './chains.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { quoteCommand } from './quote.ts';
import { serveCommand } from './serve.ts';

/** Every word of the command line, in the order that help lists them. */
export const commands: readonly Command[] = [
  serveCommand,
  quoteCommand,
  chainsCommand,
  doctorCommand,
];
