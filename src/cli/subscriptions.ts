import type { Command, CommandInput } from './command.ts';
import { signInOptions } from './context-server.ts';
import { type EventsClient, openEventsClient } from './create-events-client.ts';
import { toSubscriptionName } from './listen.ts';
import { plainText } from './render/plain-text.ts';
import { serverOption } from './server-option.ts';
import { UsageError } from './usage-error.ts';

/** `tradewind subscriptions`: one's own subscriptions, listed, shown, deleted and replayed. */
export const subscriptionsCommand: Command = {
  operands: 'list <event type…> | show <name> | delete <name> | replay <name>',
  description:
    'Subscriptions are listed by the event types they have.\n\n  tradewind subscriptions list google.workspace.drive.file.v3.renamed\n  tradewind subscriptions show subscriptions/4f1c…\n  tradewind subscriptions replay subscriptions/4f1c… --start 2026-01-31T08:00:00Z',
  options: {
    start: { type: 'string', argument: '<time>', help: 'Of replay: events from this time on.' },
    end: { type: 'string', argument: '<time>', help: 'Of replay: events until this time.' },
    events: { type: 'string', argument: '<ids>', help: 'Of replay: these events, by commas.' },
    types: { type: 'string', argument: '<types>', help: 'Of replay: these types, by commas.' },
    server: serverOption,
    ...signInOptions,
    json: { type: 'boolean', help: 'Print as JSON.' },
  },
  async run(input) {
    const [action = '', ...names] = input.operands;
    const run = actions.get(action);
    if (run === undefined || names.length === 0 || (action !== 'list' && names.length > 1)) {
      throw new UsageError(
        'Say what to do: subscriptions list <event type…>, show <name>, delete <name>, or replay <name>.',
      );
    }
    const client = await openEventsClient(input, {
      resource: '/v1/subscriptions',
      scope: 'subscriptions.read subscriptions.write',
    });
    const { answer, text } = await run(client, names, input);
    input.terminal.stdout.write(input.flags.json ? `${JSON.stringify(answer)}\n` : text);
    return 0;
  },
};

type Action = (
  client: EventsClient,
  names: readonly string[],
  input: CommandInput,
) => Promise<{ readonly answer: unknown; readonly text: string }>;

type Listed = {
  readonly name: string;
  readonly state: string;
  readonly targetResource: string;
  readonly expireTime: string;
};

// Answers have the shapes of the interface, on a server that speaks it.
const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'list',
    async (client, types) => {
      const filter = types.map((type) => `event_types:${JSON.stringify(type)}`).join(' OR ');
      const subscriptions: Listed[] = [];
      for (let pageToken = ''; ; ) {
        const query = { filter, pageSize: '100', ...(pageToken ? { pageToken } : {}) };
        const page = (await client.request('GET', '/v1/subscriptions', { query })) as {
          readonly subscriptions?: readonly Listed[];
          readonly nextPageToken?: string;
        };
        subscriptions.push(...(page.subscriptions ?? []));
        if (!page.nextPageToken) break;
        pageToken = page.nextPageToken;
      }
      const lines = subscriptions.map(
        ({ name, state, targetResource, expireTime }) =>
          `${name}  ${state.toLowerCase().padEnd(9)}  until ${expireTime}  ${plainText(targetResource)}\n`,
      );
      return { answer: { subscriptions }, text: lines.join('') || 'None with these types.\n' };
    },
  ],
  [
    'show',
    async (client, [name = '']) => {
      const answer = await client.request('GET', `/v1/${toSubscriptionName(name)}`);
      return { answer, text: `${JSON.stringify(answer, undefined, 2)}\n` };
    },
  ],
  [
    'delete',
    async (client, [name = '']) => {
      const answer = await client.request('DELETE', `/v1/${toSubscriptionName(name)}`);
      return { answer, text: `Deleted ${plainText(toSubscriptionName(name))}.\n` };
    },
  ],
  [
    'replay',
    async (client, [name = ''], { flags }) => {
      const list = (flag: string) =>
        flags[flag] === undefined ? undefined : String(flags[flag]).split(',');
      const body = {
        eventIds: list('events'),
        eventTypes: list('types'),
        startTime: flags.start,
        endTime: flags.end,
      };
      const path = `/v1/${toSubscriptionName(name)}:replay`;
      const answer = (await client.request('POST', path, { body })) as {
        readonly replayed: number;
      };
      return { answer, text: `${answer.replayed} events are sent again.\n` };
    },
  ],
]);
