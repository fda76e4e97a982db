import type { Command, CommandInput, Flags } from '../command.ts';
import { confirmAtTerminal, yesOption } from '../input/confirm.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import { fetchAsManager, managementHelp, managementOptions } from '../server/management.ts';
import {
  createRegistrationClient,
  type RegisteredClient,
  type RegistrationClient,
} from '../server/registration-client.ts';
import { serverUrlOf } from '../server/server-option.ts';
import { renderTable } from '../terminal.ts';

/** `tradewind clients`: makes, lists and removes clients of a running server, as its operator. */
export const clientsCommand: Command = {
  operands: 'add | list | remove <client id>',
  description: `${managementHelp}\n\n  tradewind clients add --name "Price bot" --grants client_credentials --scope swap.read\n  tradewind clients add --name "My app" --redirect-uris https://app.example.com/callback\n  tradewind clients list --json\n  tradewind clients remove 5b1f…`,
  options: {
    ...managementOptions,
    name: { type: 'string', argument: '<name>', help: 'The name on the consent page.' },
    'redirect-uris': {
      type: 'string',
      argument: '<urls>',
      help: 'Redirect URIs, separated by commas: https, or localhost at any port.',
    },
    grants: {
      type: 'string',
      argument: '<grants>',
      help: 'Its grant types, separated by commas: authorization_code, refresh_token, client_credentials, device_code. Default: the first two.',
    },
    scope: {
      type: 'string',
      argument: '<scope>',
      help: 'The scopes it may ask for; it gets all of them if it asks for none. Default: it may ask for any scope, and gets swap.read subscriptions.read if it asks for none.',
    },
    public: {
      type: 'boolean',
      help: 'Make it a public client, without a secret, such as a program that people install.',
    },
    yes: yesOption,
  },
  async run(input) {
    const [action, clientId, ...rest] = input.operands;
    const isRemoval = action === 'remove';
    if (rest.length > 0 || (clientId === undefined) === isRemoval) throw misused();
    const url = serverUrlOf(input);
    const run = actions.get(action ?? '');
    if (run === undefined) throw misused();
    const client = createRegistrationClient(url, await fetchAsManager(input));
    const answer = await run(client, input);
    if (answer === undefined) return 1;
    input.terminal.stdout.write(answer);
    return 0;
  },
};

/** Returns `undefined` if the person declines. */
type Action = (client: RegistrationClient, input: CommandInput) => Promise<string | undefined>;

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'add',
    async (client, { flags }) => {
      const made = await client.add(readMetadata(flags));
      return flags.json ? `${JSON.stringify(made)}\n` : renderNewClient(made);
    },
  ],
  [
    'list',
    async (client, { flags }) => {
      const clients = await client.list();
      return flags.json ? `${JSON.stringify({ clients })}\n` : renderClients(clients);
    },
  ],
  [
    'remove',
    async (client, input) => {
      const {
        operands: [, clientId = ''],
        flags,
      } = input;
      const effects = `This removes the client ${clientId} and revokes every token it holds; subscriptions that depend on them are suspended. It cannot be undone.`;
      if (!(await confirmAtTerminal(input, effects))) return undefined;
      await client.remove(clientId);
      return flags.json
        ? `${JSON.stringify({ removed: clientId })}\n`
        : `Removed ${clientId}: every token it held is revoked.\n`;
    },
  ],
]);

/** Client metadata (RFC 7591) from the flags. The server chooses whatever the flags leave out. */
function readMetadata(flags: Flags): object {
  const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined);
  const list = (name: string) =>
    text(name)
      ?.split(',')
      .map((item) => item.trim());
  const grants = list('grants')?.map((grant) =>
    grant === 'device_code' ? 'urn:ietf:params:oauth:grant-type:device_code' : grant,
  );
  return {
    client_name: text('name'),
    redirect_uris: list('redirect-uris'),
    grant_types: grants,
    scope: text('scope'),
    token_endpoint_auth_method: flags.public ? 'none' : 'client_secret_basic',
  };
}

function misused(): UsageError {
  return new UsageError(
    'Say what to do: clients add, clients list, or clients remove <client id>.',
  );
}

/** A table of clients, in the order of their names. */
export function renderClients(clients: readonly RegisteredClient[]): string {
  if (clients.length === 0)
    return 'There are no clients: none was added, and none has registered itself.\n';
  const rows = clients
    .map(({ client_id, client_name = '', origin = '', grant_types, scope, last_used_at }) =>
      [
        client_id,
        client_name,
        origin,
        shortGrants(grant_types),
        scope,
        writeTime(last_used_at),
      ].map(plainText),
    )
    .toSorted(([, a = ''], [, b = '']) => a.localeCompare(b));
  return renderTable([['CLIENT', 'NAME', 'MADE BY', 'GRANTS', 'SCOPE', 'LAST USED'], ...rows]);
}

/** A client that was just made, with the secret that is shown this once. */
export function renderNewClient(client: RegisteredClient): string {
  const { client_id, client_secret, redirect_uris, grant_types, scope } = client;
  const facts = [
    ['Client id', client_id],
    ...(client_secret === undefined ? [] : [['Secret', client_secret]]),
    ['Grants', grant_types.join(', ')],
    ['Scope', scope],
    ...redirect_uris.map((uri) => ['Redirect', uri]),
  ];
  const shown = facts.map(
    ([name = '', value = '']) => `  ${name.padEnd(9)}  ${plainText(value)}\n`,
  );
  const note =
    client_secret === undefined ? '' : '\nThe secret is shown only once: store it now.\n';
  return `\n${shown.join('')}${note}\n`;
}

/** To the minute, which is the precision that the server stores. */
function writeTime(seconds: number | undefined): string {
  return seconds === undefined ? '-' : `${new Date(seconds * 1_000).toISOString().slice(0, 16)}Z`;
}

/** The last word of a grant type's name tells it from the others. */
function shortGrants(grantTypes: readonly string[]): string {
  return grantTypes.map((type) => type.split(':').at(-1)).join(', ');
}
