import type { CommandEntry } from './command.ts';

/** Every command, in the order in which help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Run the server.',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  {
    name: 'quote',
    summary: 'Ask a server what a swap would give, and draw its route.',
    load: async () => (await import('./commands/quote.ts')).quoteCommand,
  },
  {
    name: 'price',
    summary: 'Ask a server for the price of a swap, without a transaction.',
    load: async () => (await import('./commands/price.ts')).priceCommand,
  },
  {
    name: 'chains',
    summary: 'List the chains that a server quotes on.',
    load: async () => (await import('./commands/chains.ts')).chainsCommand,
  },
  {
    name: 'router',
    summary: 'Check whether the executor is deployed on a chain, or deploy it there.',
    load: async () => (await import('./commands/router.ts')).routerCommand,
  },
  {
    name: 'mcp',
    summary: 'Offer the tools of a server to a local agent over stdio.',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  {
    name: 'login',
    summary: 'Sign in at an MCP server and keep the grant.',
    load: async () => (await import('./commands/login.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'Revoke and forget the grants of an MCP server.',
    load: async () => (await import('./commands/logout.ts')).logoutCommand,
  },
  {
    name: 'whoami',
    summary: 'Show the grants that are kept for an MCP server.',
    load: async () => (await import('./commands/whoami.ts')).whoamiCommand,
  },
  {
    name: 'token',
    summary: 'Print an access token for scripts.',
    load: async () => (await import('./commands/token.ts')).tokenCommand,
  },
  {
    name: 'tools',
    summary: 'List the tools of an MCP server.',
    load: async () => (await import('./commands/tools.ts')).toolsCommand,
  },
  {
    name: 'call',
    summary: 'Call a tool of an MCP server.',
    load: async () => (await import('./commands/call.ts')).callCommand,
  },
  {
    name: 'subscribe',
    summary: 'Create a subscription and print its events as they come.',
    load: async () => (await import('./commands/subscribe.ts')).subscribeCommand,
  },
  {
    name: 'listen',
    summary: 'Print the events of a subscription as they come.',
    load: async () => (await import('./commands/listen.ts')).listenCommand,
  },
  {
    name: 'deliveries',
    summary:
      'Show the delivery attempts of a subscription, with --bodies also requests and responses.',
    load: async () => (await import('./commands/deliveries.ts')).deliveriesCommand,
  },
  {
    name: 'trigger',
    summary: 'Publish a sample of an event type, or send one to a subscription.',
    load: async () => (await import('./commands/trigger.ts')).triggerCommand,
  },
  {
    name: 'publish',
    summary: 'Publish an event.',
    load: async () => (await import('./commands/publish.ts')).publishCommand,
  },
  {
    name: 'subscriptions',
    summary: 'List, show, renew, reactivate, delete and replay subscriptions, and rotate secrets.',
    load: async () => (await import('./commands/subscriptions.ts')).subscriptionsCommand,
  },
  {
    name: 'applications',
    summary: 'List, add and remove applications: what can be subscribed to.',
    load: async () => (await import('./commands/applications.ts')).applicationsCommand,
  },
  {
    name: 'clients',
    summary: 'Add, list and remove the clients of a server.',
    load: async () => (await import('./commands/clients.ts')).clientsCommand,
  },
  {
    name: 'backup',
    summary: 'Back up a server to one file, also while it runs.',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Restore a backup.',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  {
    name: 'people',
    summary: 'List, invite and remove the people of a server, and change their roles.',
    load: async () => (await import('./commands/people.ts')).peopleCommand,
  },
  {
    name: 'sessions',
    summary: 'List and end browser sessions.',
    load: async () => (await import('./commands/sessions.ts')).sessionsCommand,
  },
  {
    name: 'resources',
    summary: 'Add, list and remove your own MCP servers that tokens can be issued for.',
    load: async () => (await import('./commands/resources.ts')).resourcesCommand,
  },
  {
    name: 'keys',
    summary: 'List and rotate the keys that sign tokens, and reseal the stored secrets.',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  {
    name: 'devchain',
    summary: 'Install the contracts of the development chain.',
    load: async () => (await import('./commands/devchain.ts')).devchainCommand,
  },
  {
    name: 'completion',
    summary: 'Print a shell script that completes commands and flags.',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
  {
    name: 'doctor',
    summary: 'Check whether the server can run here, and say how to fix what is wrong.',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
];
