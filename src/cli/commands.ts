import type { CommandEntry } from './command.ts';

/** Every word of the command line, in the order that help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Run the server.',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'quote',
    summary: 'Ask a server what a swap would give, and draw its route.',
    load: async () => (await import('./quote.ts')).quoteCommand,
  },
  {
    name: 'chains',
    summary: 'List the chains that a server quotes on.',
    load: async () => (await import('./chains.ts')).chainsCommand,
  },
  {
    name: 'mcp',
    summary: 'Offer the tools of a server to a local agent over standard input and output.',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  {
    name: 'doctor',
    summary: 'Check whether the server can run here, and how to mend what is wrong.',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
];
