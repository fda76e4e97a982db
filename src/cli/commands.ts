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
    name: 'price',
    summary: 'Ask a server for the price of a swap, without a transaction.',
    load: async () => (await import('./price.ts')).priceCommand,
  },
  {
    name: 'chains',
    summary: 'List the chains that a server quotes on.',
    load: async () => (await import('./chains.ts')).chainsCommand,
  },
  {
    name: 'router',
    summary: 'Look whether our executor stands on a chain, or deploy it there.',
    load: async () => (await import('./router.ts')).routerCommand,
  },
  {
    name: 'mcp',
    summary: 'Offer the tools of a server to a local agent over standard input and output.',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  {
    name: 'login',
    summary: 'Sign in at an MCP server, and keep what it grants.',
    load: async () => (await import('./login.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'Revoke what an MCP server granted, and forget it.',
    load: async () => (await import('./logout.ts')).logoutCommand,
  },
  {
    name: 'whoami',
    summary: 'Show what is kept for an MCP server.',
    load: async () => (await import('./whoami.ts')).whoamiCommand,
  },
  {
    name: 'token',
    summary: 'Print an access token for scripts.',
    load: async () => (await import('./token.ts')).tokenCommand,
  },
  {
    name: 'tools',
    summary: 'List the tools of an MCP server.',
    load: async () => (await import('./tools.ts')).toolsCommand,
  },
  {
    name: 'call',
    summary: 'Call a tool of an MCP server.',
    load: async () => (await import('./call.ts')).callCommand,
  },
  {
    name: 'subscribe',
    summary: 'Be told of changes: make a subscription and print its events as they come.',
    load: async () => (await import('./subscribe.ts')).subscribeCommand,
  },
  {
    name: 'listen',
    summary: 'Print the events of a subscription as they come.',
    load: async () => (await import('./listen.ts')).listenCommand,
  },
  {
    name: 'deliveries',
    summary: 'Show what was sent to a subscription, and what came back.',
    load: async () => (await import('./deliveries.ts')).deliveriesCommand,
  },
  {
    name: 'trigger',
    summary: 'Publish a sample of an event type, or send one to a subscription.',
    load: async () => (await import('./trigger.ts')).triggerCommand,
  },
  {
    name: 'publish',
    summary: 'Publish an event.',
    load: async () => (await import('./publish.ts')).publishCommand,
  },
  {
    name: 'subscriptions',
    summary: 'List, show, renew, reactivate, delete and replay subscriptions, and change secrets.',
    load: async () => (await import('./subscriptions.ts')).subscriptionsCommand,
  },
  {
    name: 'applications',
    summary: 'List and change what can be subscribed to.',
    load: async () => (await import('./applications.ts')).applicationsCommand,
  },
  {
    name: 'clients',
    summary: 'Make, list and remove the clients of a server.',
    load: async () => (await import('./clients.ts')).clientsCommand,
  },
  {
    name: 'backup',
    summary: 'Write all that a server knows to one file, also while it runs.',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Put a backup in place.',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'people',
    summary: 'List, invite and remove the people of a server, and change their roles.',
    load: async () => (await import('./people.ts')).peopleCommand,
  },
  {
    name: 'sessions',
    summary: 'List and end the browsers in which people are signed in.',
    load: async () => (await import('./sessions.ts')).sessionsCommand,
  },
  {
    name: 'resources',
    summary: 'Add, list and remove servers of your own that tokens may be for.',
    load: async () => (await import('./resources.ts')).resourcesCommand,
  },
  {
    name: 'keys',
    summary: 'List and rotate the keys that sign tokens, and reseal the stored secrets.',
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  {
    name: 'devchain',
    summary: 'Install what the development chain runs on.',
    load: async () => (await import('./devchain.ts')).devchainCommand,
  },
  {
    name: 'completion',
    summary: 'Print a script by which a shell completes commands and flags.',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
  {
    name: 'doctor',
    summary: 'Check whether the server can run here, and how to mend what is wrong.',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
];
