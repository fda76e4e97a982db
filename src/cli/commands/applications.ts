import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { EventsAnswers } from '../../events/wire.ts';
import type { Command, CommandInput } from '../command.ts';
import { confirmAtTerminal, yesOption } from '../input/confirm.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import { signInOptions } from '../server/client-options.ts';
import type { EventsClient } from '../server/events-client.ts';
import { catalogueShape } from '../server/list-subscriptions.ts';
import { openEventsClient } from '../server/open-events-client.ts';
import { serverOption } from '../server/server-option.ts';

/** `tradewind applications`: the catalogue of a server, listed and changed. */
export const applicationsCommand: Command = {
  operands: 'add <name> <pattern> <event type…> | add <file.json> | list | remove <name>',
  description:
    'An application names targets and event types that can be subscribed to. At sign-in it asks for subscriptions.read, and\nfor changes it asks for admin.\n\n  tradewind applications add crm //crm/deals/{deal} crm.deal.v1.won crm.deal.v1.lost\n  tradewind applications list',
  options: {
    server: serverOption,
    ...signInOptions,
    yes: yesOption,
    json: { type: 'boolean', help: 'Print as JSON.' },
  },
  async run(input) {
    const [action = '', ...operands] = input.operands;
    const run = actions.get(action);
    if (run === undefined) throw misused();
    const client = await openEventsClient(
      input,
      action === 'list' ? 'subscriptions.read' : 'admin',
    );
    const outcome = await run(client, operands, input);
    if (outcome === undefined) return 1;
    const { answer, text } = outcome;
    input.terminal.stdout.write(input.flags.json ? `${JSON.stringify(answer)}\n` : text);
    return 0;
  },
};

/** Returns `undefined` if the person declines. */
type Action = (
  client: EventsClient,
  operands: readonly string[],
  input: CommandInput,
) => Promise<{ readonly answer: unknown; readonly text: string } | undefined>;

type Answers = EventsAnswers['applications'];

const path = '/v1/applications';
const addedShape = { name: z.string() };

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'add',
    async (client, operands) => {
      const body = readApplication(operands);
      const added = await client.request<Answers['create']>('POST', path, addedShape, { body });
      return { answer: added, text: `Added ${plainText(added.name)}.\n` };
    },
  ],
  [
    'list',
    async (client) => {
      const answer = await client.request<Answers['list']>('GET', path, catalogueShape);
      return { answer, text: answer.applications.map(describe).join('\n') };
    },
  ],
  [
    'remove',
    async (client, [name], input) => {
      if (name === undefined) throw misused();
      const effects = `This removes the application ${name}: its events can no longer be published or subscribed to, and subscriptions to them are suspended.`;
      if (!(await confirmAtTerminal(input, effects))) return undefined;
      const answer = await client.request('DELETE', `${path}/${encodeURIComponent(name)}`, {});
      return { answer, text: `Removed ${plainText(name)}.\n` };
    },
  ],
]);

function describe({ name, targets }: Answers['create']): string {
  const lines = targets.map(
    ({ pattern, eventTypes, clientScope }) =>
      `  ${plainText(pattern)}${clientScope === undefined ? '' : ` (for clients that act for themselves, with ${plainText(clientScope)})`}\n${eventTypes.map((type) => `    ${plainText(type)}\n`).join('')}`,
  );
  return `${plainText(name)}\n${lines.join('')}`;
}

function readApplication([first, pattern, ...eventTypes]: readonly string[]): unknown {
  if (first === undefined) throw misused();
  if (pattern !== undefined) return { name: first, targets: [{ pattern, eventTypes }], scopes: [] };
  try {
    return JSON.parse(readFileSync(first, 'utf8'));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new UsageError(
        `There is no file ${first}: add an application by its name, a pattern and event types, or by a JSON file.`,
      );
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${first} cannot be read as an application in JSON: ${reason}.`);
  }
}

function misused(): UsageError {
  return new UsageError(
    'Say what to do: applications add <name> <pattern> <event type…>, add <file.json>, list, or remove <name>.',
  );
}
