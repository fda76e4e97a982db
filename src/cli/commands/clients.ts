import type { Command, CommandInput, Flags } from '../command.ts';
import { confirmAtTerminal, yesOption } from '../input/confirm.ts';
import { UsageError } from '../input/usage-error.ts';
import { renderClients, renderNewClient } from '../render/clients.ts';
import {
  createRegistrationClient,
  type RegistrationClient,
} from '../server/management/create-registration-client.ts';
import { managementHelp, managementOptions } from '../server/management/management-options.ts';
import { fetchAsManager } from '../server/management/open-management.ts';
import { serverUrlOf } from '../server/server-option.ts';

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
